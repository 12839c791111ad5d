import { useState } from 'react';
import {
  getSmsCampaign,
  listSmsCampaigns,
  submitSmsCampaign,
  updateSmsCampaign,
} from '#contract/compliance/registration/endpoints';
import {
  bindFieldErrors,
  focusFirstError,
  formFields,
  t,
  toast,
  useApiMutation,
  useUnsavedGuard,
  useFollowSaved,
} from '#ui';
import {
  missingFields,
  stepOfField,
  steps,
  toFormValues,
  toRequestBody,
  useRegistrationForm,
  type Step,
} from './form.ts';
import type { RegistrationView } from './labels.ts';

const invalidates = [getSmsCampaign, listSmsCampaigns];
/** Delay (ms) until the fields of a step that was just opened are rendered and can be focused. */
const focusDelayMs = 50;

export interface WizardProps {
  registration: RegistrationView;
  step: Step;
  goTo: (step: Step) => void;
  /** Called after the registration was submitted for review. */
  onSubmitted: () => void;
}

/**
 * The form, filled with the saved version, also one that was saved elsewhere, unless the form has
 * unsaved changes. `saved` identifies that version.
 */
function useSavedForm(registration: RegistrationView) {
  const form = useRegistrationForm(registration);
  const values = toFormValues(registration);
  useFollowSaved(form, values);
  return { form, saved: JSON.stringify(values) };
}
type RegistrationForm = ReturnType<typeof useRegistrationForm>;

/** Saves the form as a draft; an error opens the step of its field. */
function useSaveDraft(
  form: RegistrationForm,
  { registration, goTo }: Pick<WizardProps, 'registration' | 'goTo'>,
) {
  const isBrandLocked = !['draft', 'rejected', 'action_required'].includes(
    registration.brand.status,
  );
  const { mutate, isPending } = useApiMutation(updateSmsCampaign, {
    invalidates,
    onFieldErrors: (error) => {
      const shown = bindFieldErrors(form)(error);
      if (shown[0] !== undefined) goTo(stepOfField(shown[0]));
      return shown;
    },
  });
  /** Saves the draft, with files if there are any. False when rejected; the errors are shown. */
  const save = async (files: Record<string, unknown> = {}): Promise<boolean> => {
    const body = toRequestBody(form.values, !isBrandLocked);
    const hasFiles = Object.keys(files).length > 0;
    const response = await mutate({
      params: { companyId: ':companyId', id: registration.id },
      body: hasFiles ? formFields({ ...body, ...files }) : body,
    });
    if (!response) return false;
    const values = toFormValues(response.data);
    form.setInitialValues(values);
    form.setValues(values);
    form.resetDirty(values);
    return true;
  };
  return { isBrandLocked, save, isSaving: isPending };
}

/** Opens the step of the first missing field and focuses it. False when nothing is missing. */
function showMissing(form: RegistrationForm, goTo: (step: Step) => void): boolean {
  const missing = missingFields(form.values);
  const first = Object.keys(missing)[0];
  if (first === undefined) return false;
  form.setErrors(missing);
  goTo(stepOfField(first));
  toast.warn(t('Some information is missing.'), { detail: missing[first] ?? '' });
  setTimeout(() => focusFirstError(form, { [first]: true }), focusDelayMs);
  return true;
}

/**
 * Form and actions of the registration wizard: every step saves a draft, only the last one submits.
 */
export function useRegistrationWizard({ registration, step, goTo, onSubmitted }: WizardProps) {
  const { form, saved } = useSavedForm(registration);
  // True while and after submitting: leaving the page then needs no warning about unsaved changes.
  const [isLeaving, setLeaving] = useState(false);
  const { isBrandLocked, save, isSaving } = useSaveDraft(form, { registration, goTo });
  const submission = useApiMutation(submitSmsCampaign, {
    invalidates,
    success: t('SMS verification submitted'),
    onFieldErrors: bindFieldErrors(form),
  });
  useUnsavedGuard(form.isDirty() && !isLeaving);

  const saveIfDirty = async (): Promise<boolean> => !form.isDirty() || (await save());
  const next = async (): Promise<void> => {
    const following = steps[steps.indexOf(step) + 1];
    if ((await saveIfDirty()) && following) goTo(following);
  };
  const submit = async (): Promise<void> => {
    if (!(await saveIfDirty()) || showMissing(form, goTo)) return;
    setLeaving(true);
    const params = { companyId: ':companyId', id: registration.id };
    if (await submission.mutate({ params, body: { checks_only: false } })) onSubmitted();
    else setLeaving(false);
  };
  return {
    form,
    isBrandLocked,
    saved,
    isSaving,
    isSubmitting: submission.isPending,
    save,
    saveDraft: async (): Promise<void> => {
      if (await save()) toast.success(t('Draft saved'));
    },
    next,
    submit,
  };
}
export type RegistrationWizard = ReturnType<typeof useRegistrationWizard>;
