import { useEffect, useState } from 'react';
import { Button, Select, Stepper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  getSmsCampaign,
  listSmsCampaigns,
  submitSmsCampaign,
  updateSmsCampaign,
} from '#contract/compliance/registration/endpoints';
import {
  bindFieldErrors,
  toast,
  focusFirstError,
  formFields,
  t,
  useApiMutation,
  useUnsavedGuard,
} from '#ui';
import { BrandStep } from './BrandStep.tsx';
import { CampaignStep } from './CampaignStep.tsx';
import {
  toRequestBody,
  missingFields,
  stepOfField,
  steps,
  useRegistrationForm,
  toFormValues,
  type Step,
} from './form.ts';
import { NumbersStep } from './NumbersStep.tsx';
import { OptInStep } from './OptInStep.tsx';
import { ReviewStep } from './ReviewStep.tsx';
import { SamplesStep } from './SamplesStep.tsx';
import type { RegistrationView } from './labels.ts';
import css from './Registration.module.css';

const labels: Record<Step, string> = {
  brand: 'Brand',
  campaign: 'Campaign',
  'opt-in': 'Opt-in',
  samples: 'Samples',
  numbers: 'Numbers',
  review: 'Review',
};
const invalidates = [getSmsCampaign, listSmsCampaigns];

interface Props {
  registration: RegistrationView;
  step: Step;
  goTo: (step: Step) => void;
  /** It is with the reviewers now. */ onSubmitted: () => void;
}

/** Brand, campaign, opt-in, samples, numbers, review. Every step saves a draft; nothing is sent before the last. */
export function Wizard({ registration, step, goTo, onSubmitted: sent }: Props) {
  const form = useRegistrationForm(registration);
  const narrow = useMediaQuery('(max-width: 62em)') ?? false;
  const [leaving, setLeaving] = useState(false);
  const locked = !['draft', 'rejected', 'action_required'].includes(registration.brand.status);
  const where = { companyId: ':companyId', id: registration.id };
  const place = bindFieldErrors(form);
  const save = useApiMutation(updateSmsCampaign, {
    invalidates,
    onFieldErrors: (error) => {
      const taken = place(error);
      const first = taken[0];
      if (first) goTo(stepOfField(first));
      return taken;
    },
  });
  const submit = useApiMutation(submitSmsCampaign, {
    invalidates,
    success: t('SMS verification submitted'),
    onFieldErrors: place,
  });
  useUnsavedGuard(form.isDirty() && !leaving);

  // What is saved, here or by somebody else, is what the form starts from.
  const saved = JSON.stringify(toFormValues(registration));
  useEffect(() => {
    if (form.isDirty()) return;
    form.setInitialValues(JSON.parse(saved) as ReturnType<typeof toFormValues>);
    form.reset();
  }, [saved]);

  const keep = async (extra: Record<string, unknown> = {}): Promise<boolean> => {
    const body = toRequestBody(form.values, !locked);
    const response = await save.mutate({
      params: where,
      body: Object.keys(extra).length ? formFields({ ...body, ...extra }) : body,
    });
    if (!response) return false;
    const values = toFormValues(response.data);
    form.setInitialValues(values);
    form.setValues(values);
    form.resetDirty(values);
    return true;
  };
  const at = steps.indexOf(step);
  const next = async (): Promise<void> => {
    if (form.isDirty() && !(await keep())) return;
    const to = steps[at + 1];
    if (to) goTo(to);
  };
  const send = async (): Promise<void> => {
    if (form.isDirty() && !(await keep())) return;
    const gaps = missingFields(form.values);
    const first = Object.keys(gaps)[0];
    if (first) {
      form.setErrors(gaps);
      goTo(stepOfField(first));
      toast.warn(t('Some information is missing.'), { detail: gaps[first] ?? '' });
      setTimeout(() => focusFirstError(form, { [first]: true }), 50);
      return;
    }
    setLeaving(true);
    if (await submit.mutate({ params: where, body: { checks_only: false } })) sent();
    else setLeaving(false);
  };
  return (
    <>
      <div className={css.steps}>
        {narrow ? (
          <Select
            label={t('Step {n} of {all}', { n: at + 1, all: steps.length })}
            allowDeselect={false}
            data={steps.map((s) => ({ value: s, label: t(labels[s]) }))}
            value={step}
            onChange={(to) => goTo((to ?? 'brand') as Step)}
          />
        ) : (
          <Stepper active={at} onStepClick={(i) => goTo(steps[i] ?? 'brand')} size="xs">
            {steps.map((s) => (
              <Stepper.Step key={s} label={t(labels[s])} />
            ))}
          </Stepper>
        )}
      </div>
      {step === 'brand' && <BrandStep form={form} locked={locked} />}
      {step === 'campaign' && <CampaignStep form={form} />}
      {step === 'opt-in' && (
        <OptInStep
          form={form}
          uploading={save.isPending}
          upload={(i, files) => void keep({ [`supporting_files_${i}`]: files })}
        />
      )}
      {step === 'samples' && <SamplesStep form={form} />}
      {step === 'numbers' && <NumbersStep form={form} />}
      {step === 'review' && (
        <ReviewStep form={form} registration={registration} saved={saved} goTo={goTo} />
      )}
      <div className={css.bar}>
        {at > 0 && (
          <Button variant="default" onClick={() => goTo(steps[at - 1]!)}>
            {t('Back')}
          </Button>
        )}
        <span />
        <Button
          variant="default"
          loading={save.isPending}
          disabled={!form.isDirty()}
          onClick={() =>
            void keep().then((done) => {
              if (done) toast.success(t('Draft saved'));
            })
          }
        >
          {t('Save draft')}
        </Button>
        {step === 'review' ? (
          <Button loading={submit.isPending} onClick={() => void send()}>
            {t('Submit')}
          </Button>
        ) : (
          <Button loading={save.isPending} onClick={() => void next()}>
            {t('Save and continue')}
          </Button>
        )}
      </div>
    </>
  );
}
