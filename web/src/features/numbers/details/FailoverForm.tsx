import { Alert, Button, Select, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconArrowsSplit } from '@tabler/icons-react';
import { carriers } from '#contract';
import {
  bindFieldErrors,
  EmptyState,
  ErrorState,
  formatPhoneNumber,
  Section,
  t,
  useApiQuery,
  usePermission,
  useApiMutation,
  useUnsavedGuard,
} from '#ui';
import { SaveBar } from './SaveBar.tsx';

type Failover = NonNullable<(typeof carriers.getFailover)['__types']>['answer']['data'];

/**
 * Chooses the company's other number that carries texts and calls when the carrier of this one
 * rejects them or is unreachable.
 */
export function FailoverForm({ numberId }: { numberId: number }) {
  const { response, error, refetch } = useApiQuery(
    carriers.getFailover,
    { params: { id: numberId } },
    { silent: true },
  );
  const mayBuy = usePermission('numbers.buy');
  if (!response)
    return error ? <ErrorState error={error} retry={refetch} /> : <Skeleton height={160} />;
  const { carrier, other_carriers: others, choices, via } = response.data;
  const title = t('When {carrier} can’t be reached', { carrier });
  if (others.length === 0) {
    return (
      <Section title={title}>
        <EmptyState
          icon={<IconArrowsSplit size={28} stroke={1.5} />}
          title={t('Only one carrier is connected')}
        >
          {t(
            'Texts and calls on this number wait for {carrier}. With a second carrier they could take another path. The server’s operator can connect one.',
            { carrier },
          )}
        </EmptyState>
      </Section>
    );
  }
  if (choices.length === 0) {
    return (
      <Section title={title}>
        <EmptyState
          icon={<IconArrowsSplit size={28} stroke={1.5} />}
          title={t('No numbers at another carrier')}
          action={
            mayBuy && (
              <Button component="a" href="/numbers/buy">
                {t('Buy a number')}
              </Button>
            )
          }
        >
          {t(
            'Failover needs an active number of yours at {others}. Until you have one, texts and calls on this number wait for {carrier}.',
            { others: others.join(t(' or ')), carrier },
          )}
        </EmptyState>
      </Section>
    );
  }
  return (
    <FailoverEditor
      key={JSON.stringify([via?.id, response.data.texts, response.data.calls])}
      numberId={numberId}
      now={response.data}
      title={title}
    />
  );
}

function FailoverEditor({
  numberId,
  now,
  title,
}: {
  numberId: number;
  now: Failover;
  title: string;
}) {
  const mayEdit = usePermission('numbers.configure');
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
  const v = form.values;
  const chosen = now.choices.find((choice) => String(choice.id) === v.via_number_id);
  const choose = (id: string | null): void => {
    const next = now.choices.find((choice) => String(choice.id) === id);
    form.setValues({
      via_number_id: id,
      ...(next && !next.can_text ? { texts: false } : {}),
      ...(next && !next.can_call ? { calls: 'never' as const } : {}),
    });
  };
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
  return (
    <form onSubmit={save} noValidate>
      {!mayEdit && (
        <Alert color="gray" mb="md">
          {t('Your role can view these settings but not change them.')}
        </Alert>
      )}
      <Section
        title={title}
        about={t(
          'Choose a number of yours at another carrier. Failover texts and calls show that number. Nothing is sent twice. Anything that may have been sent already waits.',
        )}
      >
        <Stack gap="md" maw={460}>
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
          {chosen && (
            <>
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
              {v.calls !== 'never' && (
                <Text size="sm" c="dimmed">
                  {t(
                    '{carrier} has to dial this second number so both carriers can connect. You pay for that line like any call.',
                    { carrier: now.carrier },
                  )}
                </Text>
              )}
            </>
          )}
        </Stack>
      </Section>
      {mayEdit && (
        <SaveBar dirty={form.isDirty()} saving={isPending} onDiscard={() => form.reset()} />
      )}
    </form>
  );
}
