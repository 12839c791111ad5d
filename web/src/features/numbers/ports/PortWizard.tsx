import { useState, type ReactNode } from 'react';
import { Button, Group, Loader, Stack, Stepper, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import { porting } from '#contract';
import {
  bindFieldErrors,
  confirm,
  Facts,
  formatPhoneNumber,
  Modal,
  t,
  useApiQuery,
  useApiMutation,
} from '#ui';
import {
  detailBody,
  detailValues,
  PortDetailsForm,
  type DetailValues,
} from './PortDetailsForm.tsx';
import { PortDocuments } from './PortDocuments.tsx';
import { LetterOfAuthorization } from './LetterOfAuthorization.tsx';
import { numbersIn, PortNumbersStep } from './PortNumbersStep.tsx';
import { dayName, stepOfField } from './labels.ts';
import css from './ports.module.css';

const invalidates = [porting.listPorts, porting.portStats, porting.getPort, porting.portLetter];
type Port = porting.PortRequest;

/** From the numbers to the signed and submitted request. Every step is kept, so that it can be left and continued. */
export function PortWizard({
  id,
  close,
  opened,
}: {
  id: number | null;
  close: () => void;
  opened: (id: number) => void;
}) {
  const { response } = useApiQuery(
    porting.getPort,
    { params: { id: id ?? 0 } },
    { enabled: id !== null, refetchOnMount: true },
  );
  const narrow = useMediaQuery('(max-width: 48em)') ?? false;
  const port = id === null ? null : (response?.data ?? null);
  if (id !== null && !port)
    return (
      <WizardFrame port={null} narrow={narrow} leave={close}>
        <Loader aria-label={t('Loading')} />
      </WizardFrame>
    );
  return (
    <Steps key={port?.id ?? 'new'} port={port} close={close} opened={opened} narrow={narrow} />
  );
}

/** What closes the window (its X, Escape) leaves a step as its own buttons do. */
const WizardFrame = ({
  port,
  narrow,
  leave,
  children,
}: {
  port: Port | null;
  narrow: boolean;
  leave: () => void;
  children: ReactNode;
}) => (
  <Modal
    opened
    onClose={leave}
    size="56rem"
    fullScreen={narrow}
    transitionProps={{ duration: 0 }}
    title={
      port
        ? t('Port {number}', {
            number:
              port.numbers.length === 1
                ? port.numbers[0]!.formatted
                : t('{n, plural, one {# number} other {# numbers}}', { n: port.numbers.length }),
          })
        : t('Port numbers')
    }
    closeButtonProps={{ 'aria-label': t('Close') }}
    closeOnClickOutside={false}
  >
    {children}
  </Modal>
);

function Steps({
  port,
  close,
  opened,
  narrow,
}: {
  port: Port | null;
  close: () => void;
  opened: (id: number) => void;
  narrow: boolean;
}) {
  const [step, setStep] = useState(
    port ? Math.min(4, ...Object.keys(port.needs).map(stepOfField)) : 0,
  );
  const [text, setText] = useState(port?.numbers.map((n) => n.formatted).join('\n') ?? '');
  const [wrongNumbers, setWrongNumbers] = useState<string | null>(port?.needs['numbers'] ?? null);
  const form = useForm<DetailValues>({
    initialValues: port ? detailValues(port) : ({} as DetailValues),
  });
  const numberRefusal = (error: { fields: Record<string, string> }): string[] => {
    const at = Object.keys(error.fields).filter((f) => f.startsWith('numbers'));
    if (at[0]) setWrongNumbers(error.fields[at[0]]!);
    return at;
  };
  const create = useApiMutation(porting.createPort, {
    invalidates,
    onFieldErrors: numberRefusal,
  });
  const save = useApiMutation(porting.savePort, {
    invalidates,
    onFieldErrors: (error) => [...numberRefusal(error), ...bindFieldErrors(form)(error)],
  });
  const submit = useApiMutation(porting.submitPort, {
    invalidates,
    success: t('Port request submitted'),
    onFieldErrors: (error) => {
      const first = Object.keys(error.fields)[0];
      if (first) {
        form.setErrors(error.fields);
        setStep(stepOfField(first));
      }
      return [];
    },
  });

  /** Keep what this step holds; false: something in it is wrong. */
  const keep = async (): Promise<boolean> => {
    if (step === 0) {
      const numbers = numbersIn(text);
      if (numbers.length === 0) {
        setWrongNumbers(t('Add at least one number.'));
        return false;
      }
      if (port) {
        const kept = await save.mutate({ params: { id: port.id }, body: { numbers } });
        if (kept) setWrongNumbers(kept.data.needs['numbers'] ?? null);
        return kept !== null;
      }
      const made = await create.mutate({ body: { numbers, service: 1 } });
      if (made) opened(made.data.id);
      return false; // the request exists now; it opens at its own address, on the next step
    }
    if (step === 1 && port && form.isDirty()) {
      const kept = await save.mutate({ params: { id: port.id }, body: detailBody(form.values) });
      if (!kept) return false;
      form.resetDirty();
      form.setErrors(
        Object.fromEntries(
          Object.entries(kept.data.needs).filter(([field]) => stepOfField(field) === 1),
        ),
      );
    }
    return true;
  };
  const next = async (): Promise<void> => {
    if (await keep()) setStep(Math.min(4, step + 1));
  };
  const to = async (wanted: number): Promise<void> => {
    if (port && (wanted < step || (await keep()))) setStep(wanted);
  };
  const began = port?.numbers.map((n) => n.number).join() ?? '';
  const unsaved =
    step === 0
      ? numbersIn(text).join() !== began || (port === null && text.trim() !== '')
      : step === 1 && form.isDirty();
  // A request that exists keeps what was typed; what cannot be kept is asked about.
  const leave = async (): Promise<void> => {
    if (
      !unsaved ||
      (port !== null && (await keep())) ||
      (await confirm({
        title: t('Leave without saving?'),
        body: t('Your changes on this step aren’t saved yet.'),
        confirmLabel: t('Leave'),
        cancelLabel: t('Stay'),
        danger: true,
      }))
    )
      close();
  };
  const hand = async (): Promise<void> => {
    if (port && (await submit.mutate({ params: { id: port.id }, body: {} }))) close();
  };
  const steps = [t('Numbers'), t('Details'), t('Documents'), t('Letter'), t('Review')];
  const open = port ? new Set(Object.keys(port.needs).map(stepOfField)) : new Set<number>();
  return (
    <WizardFrame port={port} narrow={narrow} leave={() => void leave()}>
      <Stack gap="lg">
        {narrow ? (
          <Text fw={500}>{t('Step {n} of 5: {name}', { n: step + 1, name: steps[step]! })}</Text>
        ) : (
          <Stepper
            active={step}
            onStepClick={(n) => void to(n)}
            size="xs"
            allowNextStepsSelect={port !== null}
          >
            {steps.map((label, i) => (
              <Stepper.Step
                key={label}
                label={label}
                {...(open.has(i) && i < step ? { color: 'orange' } : {})}
              />
            ))}
          </Stepper>
        )}
        {port?.rejection && (
          <div className={css.notice} data-tone="danger">
            <Text fw={500}>{port.rejection.text}</Text>
            <p>{port.rejection.fix}</p>
          </div>
        )}
        {step === 0 && (
          <PortNumbersStep
            text={text}
            setText={setText}
            error={wrongNumbers}
            setError={setWrongNumbers}
          />
        )}
        {step === 1 && port && <PortDetailsForm form={form} earliest={port.earliest_date} />}
        {step === 2 && port && (
          <Stack gap="sm">
            <Text c="dimmed">
              {t(
                'A bill from your current carrier, at most 30 days old, with the account name and number.',
              )}
            </Text>
            <PortDocuments
              port={port}
              kinds={[
                'bill',
                ...porting.portDocumentKinds.filter(
                  (k) => k !== 'bill' && (k !== 'loa' || port.loa.state === 'sent'),
                ),
              ]}
              mayEdit
              error={form.errors['documents'] as string | undefined}
            />
          </Stack>
        )}
        {step === 3 && port && (
          <LetterOfAuthorization
            port={port}
            mayEdit
            onFix={(field) => {
              form.setErrors(port.needs);
              setStep(stepOfField(field));
            }}
          />
        )}
        {step === 4 && port && (
          <Review
            port={port}
            onFix={(field) => {
              form.setErrors(port.needs);
              setStep(stepOfField(field));
            }}
          />
        )}
        <Group justify="space-between">
          <Button variant="default" onClick={() => (step === 0 ? void leave() : setStep(step - 1))}>
            {step === 0 ? t('Cancel') : t('Back')}
          </Button>
          <Group gap="xs">
            {port && step > 0 && step < 4 && (
              <Button variant="subtle" onClick={() => void leave()}>
                {t('Continue later')}
              </Button>
            )}
            {step < 4 ? (
              <Button loading={create.isPending || save.isPending} onClick={() => void next()}>
                {t('Next')}
              </Button>
            ) : (
              <Button
                loading={submit.isPending}
                disabled={port === null || Object.keys(port.needs).length > 0}
                onClick={() => void hand()}
              >
                {port?.status === 'rejected' ? t('Submit again') : t('Submit request')}
              </Button>
            )}
          </Group>
        </Group>
      </Stack>
    </WizardFrame>
  );
}

function Review({ port, onFix }: { port: Port; onFix: (field: string) => void }) {
  const needs = Object.entries(port.needs);
  const a = port.service_address;
  return (
    <Stack gap="md">
      {needs.length > 0 && (
        <div className={css.notice} role="status">
          <Text fw={500}>{t('Still to do')}</Text>
          <ul className={css.found}>
            {needs.map(([field, sentence]) => (
              <li key={field}>
                <span className={css.grow}>{sentence}</span>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('Fix: {sentence}', { sentence })}
                  onClick={() => onFix(field)}
                >
                  {t('Fix')}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Facts
        rows={[
          [t('Numbers'), port.numbers.map((n) => n.formatted).join(', ')],
          [t('Current carrier'), port.losing_carrier || '–'],
          [t('Account number'), port.account_number || '–'],
          [
            t('Main number on the account'),
            port.billing_telephone_number ? formatPhoneNumber(port.billing_telephone_number) : '–',
          ],
          [t('On the bill'), port.entity_name || '–'],
          [
            t('Authorized person'),
            [
              `${port.authorized_first_name} ${port.authorized_last_name}`.trim(),
              port.authorized_email,
            ]
              .filter(Boolean)
              .join(', ') || '–',
          ],
          [
            t('Service address'),
            [a.line1, a.line2, a.city, `${a.state} ${a.zip}`.trim()].filter(Boolean).join(', ') ||
              '–',
          ],
          [t('Port date'), dayName(port.requested_date)],
          [t('Documents'), port.documents.map((d) => d.name).join(', ') || '–'],
          [
            t('Letter'),
            port.loa.state === 'signed'
              ? t('Signed by {name}', { name: port.loa.signed_by ?? '' })
              : t('Not signed'),
          ],
        ]}
      />
    </Stack>
  );
}
