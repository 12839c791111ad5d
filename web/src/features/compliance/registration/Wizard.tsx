import { useEffect, useState } from 'react';
import { Button, Select, Stepper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  getSmsCampaign,
  listSmsCampaigns,
  submitSmsCampaign,
  updateSmsCampaign,
} from '#contract/registration';
import { bindRefusal, flash, focusFirst, formFields, t, useTell, useUnsavedGuard } from '#ui';
import { BrandStep } from './BrandStep.tsx';
import { CampaignStep } from './CampaignStep.tsx';
import { bodyOf, gapsOf, stepOf, steps, useRegistrationForm, valuesOf, type Step } from './form.ts';
import { NumbersStep } from './NumbersStep.tsx';
import { OptInStep } from './OptInStep.tsx';
import { ReviewStep } from './ReviewStep.tsx';
import { SamplesStep } from './SamplesStep.tsx';
import type { Shown } from './words.ts';
import css from './Registration.module.css';

const labels: Record<Step, string> = {
  brand: 'Brand',
  campaign: 'Campaign',
  'opt-in': 'Opt-in',
  samples: 'Samples',
  numbers: 'Numbers',
  review: 'Review',
};
const touches = [getSmsCampaign, listSmsCampaigns];

interface Props {
  shown: Shown;
  step: Step;
  goTo: (step: Step) => void;
  /** It is with the reviewers now. */ sent: () => void;
}

/** Brand, campaign, opt-in, samples, numbers, review. Every step saves a draft; nothing is sent before the last. */
export function Wizard({ shown, step, goTo, sent }: Props) {
  const form = useRegistrationForm(shown);
  const narrow = useMediaQuery('(max-width: 62em)') ?? false;
  const [leaving, setLeaving] = useState(false);
  const locked = !['draft', 'rejected', 'action_required'].includes(shown.brand.status);
  const where = { companyId: ':companyId', id: shown.id };
  const place = bindRefusal(form);
  const save = useTell(updateSmsCampaign, {
    touches,
    form: (refusal) => {
      const taken = place(refusal);
      const first = taken[0];
      if (first) goTo(stepOf(first));
      return taken;
    },
  });
  const submit = useTell(submitSmsCampaign, {
    touches,
    success: t('SMS verification submitted'),
    form: place,
  });
  useUnsavedGuard(form.isDirty() && !leaving);

  // What is saved, here or by somebody else, is what the form starts from.
  const saved = JSON.stringify(valuesOf(shown));
  useEffect(() => {
    if (form.isDirty()) return;
    form.setInitialValues(JSON.parse(saved) as ReturnType<typeof valuesOf>);
    form.reset();
  }, [saved]);

  const keep = async (extra: Record<string, unknown> = {}): Promise<boolean> => {
    const body = bodyOf(form.values, !locked);
    const answer = await save.tell({
      params: where,
      body: Object.keys(extra).length ? formFields({ ...body, ...extra }) : body,
    });
    if (!answer) return false;
    const values = valuesOf(answer.data);
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
    const gaps = gapsOf(form.values);
    const first = Object.keys(gaps)[0];
    if (first) {
      form.setErrors(gaps);
      goTo(stepOf(first));
      flash.warn(t('Some things are still missing.'), { detail: gaps[first] ?? '' });
      setTimeout(() => focusFirst(form, { [first]: true }), 50);
      return;
    }
    setLeaving(true);
    if (await submit.tell({ params: where, body: { checks_only: false } })) sent();
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
          uploading={save.telling}
          upload={(i, files) => void keep({ [`supporting_files_${i}`]: files })}
        />
      )}
      {step === 'samples' && <SamplesStep form={form} />}
      {step === 'numbers' && <NumbersStep form={form} />}
      {step === 'review' && <ReviewStep form={form} shown={shown} saved={saved} goTo={goTo} />}
      <div className={css.bar}>
        {at > 0 && (
          <Button variant="default" onClick={() => goTo(steps[at - 1]!)}>
            {t('Back')}
          </Button>
        )}
        <span />
        <Button
          variant="default"
          loading={save.telling}
          disabled={!form.isDirty()}
          onClick={() =>
            void keep().then((done) => {
              if (done) flash.success(t('Draft saved'));
            })
          }
        >
          {t('Save draft')}
        </Button>
        {step === 'review' ? (
          <Button loading={submit.telling} onClick={() => void send()}>
            {t('Submit')}
          </Button>
        ) : (
          <Button loading={save.telling} onClick={() => void next()}>
            {t('Save and continue')}
          </Button>
        )}
      </div>
    </>
  );
}
