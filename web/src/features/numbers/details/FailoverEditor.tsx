import { Alert, Select, Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { carriers, type Answer } from '#contract';
import {
  bindFieldErrors,
  formatPhoneNumber,
  Section,
  t,
  useApiMutation,
  usePermission,
  useUnsavedGuard,
} from '#ui';
import { SaveBar } from '../../../shared/SaveBar.tsx';

type Failover = Answer<typeof carriers.getFailover>['data'];
type Choice = Failover['choices'][number];

/** Chooses the failover number, and whether texts and calls use it. */
export function FailoverEditor({
  numberId,
  now,
  title,
}: {
  numberId: number;
  now: Failover;
  title: string;
}) {
  const mayEdit = usePermission('numbers.configure');
  const { form, save, isSaving } = useFailoverForm(numberId, now);
  const chosen = now.choices.find((choice) => String(choice.id) === form.values.via_number_id);
  return (
    <form onSubmit={save} noValidate>
      {!mayEdit && (
        <Alert color="gray" mb="md">
          {t(
            'Your role can view these settings but not change them. Ask an owner or administrator.',
          )}
        </Alert>
      )}
      <Section
        title={title}
        about={t(
          'Choose a number of yours at another carrier. Failover texts and calls show that number. Nothing is sent twice. Anything that may have been sent already waits.',
        )}
      >
        <Stack gap="md" maw={460}>
          <FailoverNumberSelect form={form} now={now} mayEdit={mayEdit} />
          {chosen && (
            <>
              <TextsSwitch form={form} now={now} chosen={chosen} mayEdit={mayEdit} />
              <CallsSelect form={form} now={now} chosen={chosen} mayEdit={mayEdit} />
            </>
          )}
        </Stack>
      </Section>
      {mayEdit && (
        <SaveBar dirty={form.isDirty()} saving={isSaving} onDiscard={() => form.reset()} />
      )}
    </form>
  );
}

function useFailoverForm(numberId: number, now: Failover) {
  const form = useForm({
    initialValues: {
      via_number_id: now.via ? String(now.via.id) : (null as string | null),
      texts: now.via ? now.texts : true,
      calls: now.via ? now.calls : ('refused' as Failover['calls']),
    },
    validate: {
      via_number_id: (id, all) =>
        id && !all.texts && all.calls === 'never'
          ? t('Choose what uses this number: texts, calls or both.')
          : null,
    },
  });
  const { mutate, isPending } = useApiMutation(carriers.setFailover, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Failover saved'),
    invalidates: [carriers.getFailover],
  });
  useUnsavedGuard(form.isDirty());
  const save = form.onSubmit(
    (values) =>
      void mutate({
        params: { id: numberId },
        body: {
          via_number_id: values.via_number_id ? Number(values.via_number_id) : null,
          ...(values.via_number_id ? { texts: values.texts, calls: values.calls } : {}),
        },
      }),
  );
  return { form, save, isSaving: isPending };
}

interface ChosenFieldProps {
  form: ReturnType<typeof useFailoverForm>['form'];
  now: Failover;
  chosen: Choice;
  mayEdit: boolean;
}

/** Chooses the failover number. What it can't do is turned off. */
function FailoverNumberSelect({ form, now, mayEdit }: Omit<ChosenFieldProps, 'chosen'>) {
  const choose = (id: string | null): void => {
    const next = now.choices.find((choice) => String(choice.id) === id);
    form.setValues({
      via_number_id: id,
      ...(next && !next.can_text ? { texts: false } : {}),
      ...(next && !next.can_call ? { calls: 'never' as const } : {}),
    });
  };
  return (
    <Select
      label={t('Failover number')}
      placeholder={t('None: texts and calls wait')}
      clearable={mayEdit}
      searchable
      readOnly={!mayEdit}
      nothingFoundMessage={t('No numbers found')}
      data={now.choices.map((choice) => ({
        value: String(choice.id),
        label: `${formatPhoneNumber(choice.number)}${choice.label ? ` ${choice.label}` : ''} (${choice.carrier})`,
      }))}
      {...form.getInputProps('via_number_id')}
      onChange={choose}
    />
  );
}

function TextsSwitch({ form, now, chosen, mayEdit }: ChosenFieldProps) {
  return (
    <Switch
      label={t('Texts')}
      description={
        chosen.can_text
          ? t(
              'Only when {carrier} certainly didn’t accept a text. Never to people who opted out of the other number.',
              { carrier: now.carrier },
            )
          : t('This number can’t text.')
      }
      disabled={!mayEdit || !chosen.can_text}
      {...form.getInputProps('texts', { type: 'checkbox' })}
    />
  );
}

function CallsSelect({ form, now, chosen, mayEdit }: ChosenFieldProps) {
  return (
    <>
      <Select
        label={t('Calls')}
        allowDeselect={false}
        readOnly={!mayEdit}
        disabled={!chosen.can_call}
        description={
          chosen.can_call
            ? t(
                'Forwarded calls, and calls your team places. The call history shows which carrier was used.',
              )
            : t('{carrier} can’t place calls here.', { carrier: chosen.carrier })
        }
        data={[
          { value: 'never', label: t('Wait for {carrier}', { carrier: now.carrier }) },
          {
            value: 'away',
            label: t('When {carrier} can’t be reached', { carrier: now.carrier }),
          },
          {
            value: 'refused',
            label: t('Also when {carrier} rejects a call', { carrier: now.carrier }),
          },
        ]}
        {...form.getInputProps('calls')}
      />
      {form.values.calls !== 'never' && (
        <Text size="sm" c="dimmed">
          {t(
            '{carrier} has to dial this second number so both carriers can connect. You pay for that line like any call.',
            { carrier: now.carrier },
          )}
        </Text>
      )}
    </>
  );
}
