import { Button, Select, Stepper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { t } from '#ui';
import { BrandStep } from './BrandStep.tsx';
import { CampaignStep } from './CampaignStep.tsx';
import { steps, type Step } from './form.ts';
import { NumbersStep } from './NumbersStep.tsx';
import { OptInStep } from './OptInStep.tsx';
import css from './Registration.module.css';
import { ReviewStep } from './ReviewStep.tsx';
import { SamplesStep } from './SamplesStep.tsx';
import {
  useRegistrationWizard,
  type RegistrationWizard,
  type WizardProps,
} from './use-registration-wizard.ts';

const labels: Record<Step, string> = {
  brand: 'Brand',
  campaign: 'Campaign',
  'opt-in': 'Opt-in',
  samples: 'Samples',
  numbers: 'Numbers',
  review: 'Review',
};

/**
 * The registration wizard: brand, campaign, opt-in, samples, numbers, review. Every step saves a
 * draft; only the last one submits.
 */
export function Wizard(props: WizardProps) {
  const wizard = useRegistrationWizard(props);
  return (
    <>
      <StepHeader step={props.step} goTo={props.goTo} />
      <StepBody {...props} wizard={wizard} />
      <StepFooter step={props.step} goTo={props.goTo} wizard={wizard} />
    </>
  );
}

type StepProps = Pick<WizardProps, 'step' | 'goTo'>;

function StepHeader({ step, goTo }: StepProps) {
  const isNarrow = useMediaQuery('(max-width: 62em)') ?? false;
  const at = steps.indexOf(step);
  return (
    <div className={css.steps}>
      {isNarrow ? (
        <Select
          label={t('Step {n} of {all}', { n: at + 1, all: steps.length })}
          allowDeselect={false}
          data={steps.map((one) => ({ value: one, label: t(labels[one]) }))}
          value={step}
          onChange={(chosen) => goTo(steps.find((one) => one === chosen) ?? 'brand')}
        />
      ) : (
        <Stepper active={at} onStepClick={(i) => goTo(steps[i] ?? 'brand')} size="xs">
          {steps.map((one) => (
            <Stepper.Step key={one} label={t(labels[one])} />
          ))}
        </Stepper>
      )}
    </div>
  );
}

function StepBody({
  registration,
  step,
  goTo,
  wizard,
}: Omit<WizardProps, 'onSubmitted'> & { wizard: RegistrationWizard }) {
  const { form } = wizard;
  switch (step) {
    case 'brand':
      return <BrandStep form={form} locked={wizard.isBrandLocked} />;
    case 'campaign':
      return <CampaignStep form={form} />;
    case 'opt-in':
      return (
        <OptInStep
          form={form}
          uploading={wizard.isSaving}
          upload={(i, files) => void wizard.save({ [`supporting_files_${i}`]: files })}
        />
      );
    case 'samples':
      return <SamplesStep form={form} />;
    case 'numbers':
      return <NumbersStep form={form} />;
    case 'review':
      return (
        <ReviewStep form={form} registration={registration} saved={wizard.saved} goTo={goTo} />
      );
  }
}

function StepFooter({ step, goTo, wizard }: StepProps & { wizard: RegistrationWizard }) {
  const previous = steps[steps.indexOf(step) - 1];
  return (
    <div className={css.bar}>
      {previous && (
        <Button variant="default" onClick={() => goTo(previous)}>
          {t('Back')}
        </Button>
      )}
      <span />
      <Button
        variant="default"
        loading={wizard.isSaving}
        disabled={!wizard.form.isDirty()}
        onClick={() => void wizard.saveDraft()}
      >
        {t('Save draft')}
      </Button>
      {step === 'review' ? (
        <Button loading={wizard.isSubmitting} onClick={() => void wizard.submit()}>
          {t('Submit')}
        </Button>
      ) : (
        <Button loading={wizard.isSaving} onClick={() => void wizard.next()}>
          {t('Save and continue')}
        </Button>
      )}
    </div>
  );
}
