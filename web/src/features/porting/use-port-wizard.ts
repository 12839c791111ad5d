import { useState } from 'react';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { porting } from '#contract';
import { bindFieldErrors, confirm, t, useApiMutation, type ApiError } from '#ui';
import { stepOfField } from './labels.ts';
import { toDetailRequest, toDetailValues, type DetailValues } from './port-details.ts';
import { numbersIn } from './PortNumbersStep.tsx';

const invalidates = [porting.listPorts, porting.portStats, porting.getPort, porting.portLetter];
export const lastStep = 4;

type PortForm = UseFormReturnType<DetailValues>;

interface PortWizardOptions {
  /** The request to continue; null until one is created. */
  port: porting.PortRequest | null;
  close: () => void;
  /** Called with the ID of a request that was just created; the wizard reopens at its address. */
  opened: (id: number) => void;
}

/** State of the porting wizard. Leaving a step saves it, so the request can be continued later. */
export function usePortWizard({ port, close, opened }: PortWizardOptions) {
  const [step, setStep] = useState(
    port ? Math.min(lastStep, ...Object.keys(port.needs).map(stepOfField)) : 0,
  );
  const numbers = useNumbersText(port);
  const form = useForm<DetailValues>({ initialValues: toDetailValues(port) });
  const saving = useSavePort({ port, form, numbers, opened });
  const submit = useSubmitPort(form, setStep);
  /**
   * Saves the current step. False when it has errors, which are shown, or when the wizard continues
   * at another address.
   */
  const saveStep = (): Promise<boolean> => {
    if (step === 0) return saving.saveNumbers();
    if (step === 1 && port && form.isDirty()) return saving.saveDetails(port.id);
    return Promise.resolve(true);
  };
  const hasUnsaved = step === 0 ? numbers.isChanged : step === 1 && form.isDirty();

  return {
    step,
    form,
    text: numbers.text,
    setText: numbers.setText,
    numbersError: numbers.error,
    setNumbersError: numbers.setError,
    isSaving: saving.isPending,
    isSubmitting: submit.isPending,
    back: () => setStep(step - 1),
    next: async (): Promise<void> => {
      if (await saveStep()) setStep(Math.min(lastStep, step + 1));
    },
    goTo: async (wanted: number): Promise<void> => {
      if (port && (wanted < step || (await saveStep()))) setStep(wanted);
    },
    /** Opens the step of a missing field and marks all missing fields. */
    fix: (field: string): void => {
      if (port) form.setErrors(port.needs);
      setStep(stepOfField(field));
    },
    /** Closes the wizard. Asks for confirmation only when something can't be saved. */
    leave: async (): Promise<void> => {
      const canLeave =
        !hasUnsaved || (port !== null && (await saveStep())) || (await confirmLeaving());
      if (canLeave) close();
    },
    submit: async (): Promise<void> => {
      if (port && (await submit.mutate({ params: { id: port.id }, body: {} }))) close();
    },
  };
}

/** Submits the request. A rejection opens the step of its first field. */
function useSubmitPort(form: PortForm, openStep: (step: number) => void) {
  return useApiMutation(porting.submitPort, {
    invalidates,
    success: t('Port request submitted'),
    onFieldErrors: ({ fields }) => {
      const first = Object.keys(fields)[0];
      if (first !== undefined) {
        form.setErrors(fields);
        openStep(stepOfField(first));
      }
      return [];
    },
  });
}

/** The numbers to port as they are typed, one per line, with their error. */
function useNumbersText(port: porting.PortRequest | null) {
  const saved = port?.numbers ?? [];
  const [text, setText] = useState(saved.map((one) => one.formatted).join('\n'));
  const [error, setError] = useState(port?.needs['numbers'] ?? null);
  const isChanged =
    numbersIn(text).join() !== saved.map((one) => one.number).join() ||
    (port === null && text.trim() !== '');
  /** Shows the error at the numbers. Returns the fields that are shown there. */
  const showError = ({ fields }: ApiError): string[] => {
    const names = Object.keys(fields).filter((name) => name.startsWith('numbers'));
    const first = names[0] === undefined ? undefined : fields[names[0]];
    if (first !== undefined) setError(first);
    return names;
  };
  return { text, setText, error, setError, isChanged, showError };
}

interface SavePortOptions extends Pick<PortWizardOptions, 'port' | 'opened'> {
  form: PortForm;
  numbers: ReturnType<typeof useNumbersText>;
}

/** Creates the request with its numbers, and saves a step of it. False: the errors are shown. */
function useSavePort({ port, form, numbers, opened }: SavePortOptions) {
  const create = useApiMutation(porting.createPort, {
    invalidates,
    onFieldErrors: numbers.showError,
  });
  const update = useApiMutation(porting.savePort, {
    invalidates,
    onFieldErrors: (error) => [...numbers.showError(error), ...bindFieldErrors(form)(error)],
  });
  const saveNumbers = async (): Promise<boolean> => {
    const typed = numbersIn(numbers.text);
    if (typed.length === 0) {
      numbers.setError(t('Add at least one number.'));
      return false;
    }
    if (port) {
      const saved = await update.mutate({ params: { id: port.id }, body: { numbers: typed } });
      if (saved) numbers.setError(saved.data.needs['numbers'] ?? null);
      return saved !== null;
    }
    const created = await create.mutate({ body: { numbers: typed, service: 1 } });
    if (created) opened(created.data.id);
    // This instance ends here: the new request opens at its own address, on the next step.
    return false;
  };
  const saveDetails = async (id: number): Promise<boolean> => {
    const saved = await update.mutate({ params: { id }, body: toDetailRequest(form.values) });
    if (!saved) return false;
    form.resetDirty();
    const missing = Object.entries(saved.data.needs).filter(([field]) => stepOfField(field) === 1);
    form.setErrors(Object.fromEntries(missing));
    return true;
  };
  return { saveNumbers, saveDetails, isPending: create.isPending || update.isPending };
}

export type PortWizardState = ReturnType<typeof usePortWizard>;

const confirmLeaving = (): Promise<boolean> =>
  confirm({
    title: t('Leave without saving?'),
    body: t('Your changes on this step aren’t saved yet.'),
    confirmLabel: t('Leave'),
    cancelLabel: t('Stay'),
    danger: true,
  });
