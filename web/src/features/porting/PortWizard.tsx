import type { ReactNode } from 'react';
import { Button, Group, Loader, Stack, Stepper, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { porting } from '#contract';
import { Modal, t, useApiQuery } from '#ui';
import { stepOfField } from './labels.ts';
import { LetterOfAuthorization } from './LetterOfAuthorization.tsx';
import { PortDetailsForm } from './PortDetailsForm.tsx';
import { PortDocuments } from './PortDocuments.tsx';
import { PortNumbersStep } from './PortNumbersStep.tsx';
import { PortReview } from './PortReview.tsx';
import css from './ports.module.css';
import { lastStep, usePortWizard, type PortWizardState } from './use-port-wizard.ts';

type Port = porting.PortRequest;
interface PortWizardProps {
  /** ID of the port request to continue; null creates one. */
  id: number | null;
  close: () => void;
  /** Called with the ID of a request that was just created. */
  opened: (id: number) => void;
}

/**
 * The porting wizard: numbers, details, documents, letter and review. Submits the signed request.
 */
export function PortWizard({ id, close, opened }: PortWizardProps) {
  const { response } = useApiQuery(
    porting.getPort,
    { params: { id: id ?? 0 } },
    { enabled: id !== null, refetchOnMount: true },
  );
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const port = id === null ? null : (response?.data ?? null);
  if (id !== null && !port)
    return (
      <WizardFrame port={null} isNarrow={isNarrow} onClose={close}>
        <Loader aria-label={t('Loading')} />
      </WizardFrame>
    );
  return (
    <Steps key={port?.id ?? 'new'} port={port} close={close} opened={opened} isNarrow={isNarrow} />
  );
}

function WizardFrame({
  port,
  isNarrow,
  onClose,
  children,
}: {
  port: Port | null;
  isNarrow: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const [first, ...others] = port?.numbers ?? [];
  const number =
    first && others.length === 0
      ? first.formatted
      : t('{n, plural, one {# number} other {# numbers}}', { n: port?.numbers.length ?? 0 });
  return (
    <Modal
      opened
      onClose={onClose}
      size="56rem"
      fullScreen={isNarrow}
      transitionProps={{ duration: 0 }}
      title={port ? t('Port {number}', { number }) : t('Port numbers')}
      closeButtonProps={{ 'aria-label': t('Close') }}
      closeOnClickOutside={false}
    >
      {children}
    </Modal>
  );
}

function Steps({
  port,
  close,
  opened,
  isNarrow,
}: {
  port: Port | null;
  close: () => void;
  opened: (id: number) => void;
  isNarrow: boolean;
}) {
  const wizard = usePortWizard({ port, close, opened });
  return (
    // Escape and the close button leave a step like its own buttons do: they save first.
    <WizardFrame port={port} isNarrow={isNarrow} onClose={() => void wizard.leave()}>
      <Stack gap="lg">
        <StepHeader port={port} wizard={wizard} isNarrow={isNarrow} />
        {port?.rejection && (
          <div className={css.notice} data-tone="danger">
            <Text fw={500}>{port.rejection.text}</Text>
            <p>{port.rejection.fix}</p>
          </div>
        )}
        {wizard.step === 0 && (
          <PortNumbersStep
            text={wizard.text}
            setText={wizard.setText}
            error={wizard.numbersError}
            setError={wizard.setNumbersError}
          />
        )}
        {port && <StepBody port={port} wizard={wizard} />}
        <StepFooter port={port} wizard={wizard} />
      </Stack>
    </WizardFrame>
  );
}

function StepHeader({
  port,
  wizard,
  isNarrow,
}: {
  port: Port | null;
  wizard: PortWizardState;
  isNarrow: boolean;
}) {
  const names = [t('Numbers'), t('Details'), t('Documents'), t('Letter'), t('Review')];
  if (isNarrow) {
    const name = names[wizard.step] ?? '';
    return <Text fw={500}>{t('Step {n} of 5: {name}', { n: wizard.step + 1, name })}</Text>;
  }
  const incomplete = new Set(Object.keys(port?.needs ?? {}).map(stepOfField));
  return (
    <Stepper
      active={wizard.step}
      onStepClick={(index) => void wizard.goTo(index)}
      size="xs"
      allowNextStepsSelect={port !== null}
    >
      {names.map((label, i) => (
        <Stepper.Step
          key={label}
          label={label}
          {...(incomplete.has(i) && i < wizard.step ? { color: 'orange' } : {})}
        />
      ))}
    </Stepper>
  );
}

function StepBody({ port, wizard }: { port: Port; wizard: PortWizardState }) {
  const { step, form, fix } = wizard;
  if (step === 1) return <PortDetailsForm form={form} earliest={port.earliest_date} />;
  if (step === 2) return <DocumentsStep port={port} error={form.errors['documents']} />;
  if (step === 3) return <LetterOfAuthorization port={port} mayEdit onFix={fix} />;
  if (step === lastStep) return <PortReview port={port} onFix={fix} />;
  return null;
}

function DocumentsStep({ port, error }: { port: Port; error: ReactNode }) {
  // The letter is uploaded only if it was sent out to be signed on paper; otherwise it is signed on
  // the next step.
  const others = porting.portDocumentKinds.filter(
    (kind) => kind !== 'bill' && (kind !== 'loa' || port.loa.state === 'sent'),
  );
  return (
    <Stack gap="sm">
      <Text c="dimmed">
        {t(
          'A bill from your current carrier, at most 30 days old, with the account name and number.',
        )}
      </Text>
      <PortDocuments port={port} kinds={['bill', ...others]} mayEdit error={error} />
    </Stack>
  );
}

function StepFooter({ port, wizard }: { port: Port | null; wizard: PortWizardState }) {
  const { step } = wizard;
  const isFirst = step === 0;
  const isLast = step === lastStep;
  const isComplete = port !== null && Object.keys(port.needs).length === 0;
  return (
    <Group justify="space-between">
      <Button variant="default" onClick={() => (isFirst ? void wizard.leave() : wizard.back())}>
        {isFirst ? t('Cancel') : t('Back')}
      </Button>
      <Group gap="xs">
        {port && !isFirst && !isLast && (
          <Button variant="subtle" onClick={() => void wizard.leave()}>
            {t('Continue later')}
          </Button>
        )}
        {isLast ? (
          <Button
            loading={wizard.isSubmitting}
            disabled={!isComplete}
            onClick={() => void wizard.submit()}
          >
            {port?.status === 'rejected' ? t('Submit again') : t('Submit request')}
          </Button>
        ) : (
          <Button loading={wizard.isSaving} onClick={() => void wizard.next()}>
            {t('Next')}
          </Button>
        )}
      </Group>
    </Group>
  );
}
