import { useState } from 'react';
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { numbers } from '#contract';
import { numberBounds } from '#contract/numbers/rules';
import {
  bindFieldErrors,
  formatNumber,
  Modal,
  NumberInput,
  t,
  Time,
  useApiQuery,
  useApiMutation,
} from '#ui';

/**
 * The number limit and how much of it is used, with a way to request an increase. An alert when the
 * cart would exceed the limit.
 */
export function LimitNotice({ wanted }: { wanted: number }) {
  const { response } = useApiQuery(numbers.numberLimit);
  const [asking, setAsking] = useState(false);
  if (!response) return null;
  const { limit, used, pending_request: open } = response.data;
  const over = used + wanted > limit;
  const words = t('{used} of {limit} numbers used', {
    used: formatNumber(used),
    limit: formatNumber(limit),
  });
  const request = open ? (
    <Text size="sm" {...(!over && { c: 'dimmed' })}>
      {t('You asked for {n, plural, one {# number} other {# numbers}}.', { n: open.requested })}{' '}
      <Time at={open.created_at} as="ago" />
    </Text>
  ) : (
    <Button size="compact-xs" variant={over ? 'filled' : 'subtle'} onClick={() => setAsking(true)}>
      {t('Request an increase')}
    </Button>
  );
  return (
    <>
      {over ? (
        <Alert
          color="orange"
          title={t('You have reached your number limit. Request an increase to continue.')}
        >
          <Text size="sm" mb="xs">
            {words}
            {wanted > 0 &&
              `. ${t('This selection would bring you to {n}.', { n: formatNumber(used + wanted) })}`}
          </Text>
          {request}
        </Alert>
      ) : (
        <Group gap="xs" justify="space-between">
          <Text size="sm" c="dimmed" data-numeric>
            {words}
          </Text>
          {request}
        </Group>
      )}
      {asking && (
        <IncreaseDialog
          limit={limit}
          needed={Math.max(limit + 1, used + wanted)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function IncreaseDialog({
  limit,
  needed,
  onClose,
}: {
  limit: number;
  needed: number;
  onClose: () => void;
}) {
  const form = useForm({
    initialValues: { requested: Math.max(needed, limit * 2), reason: '' },
    validate: { reason: (v) => (v.trim() ? null : t('Tell us why you need more.')) },
  });
  const { mutate, isPending } = useApiMutation(numbers.requestNumberLimitIncrease, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Your number limit increase request was submitted'),
    invalidates: [numbers.numberLimit],
  });
  const send = async (values: typeof form.values): Promise<void> => {
    if (await mutate({ body: { requested: Number(values.requested), reason: values.reason } }))
      onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Request more numbers')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={form.onSubmit((v) => void send(v))} noValidate>
        <Stack gap="sm">
          <NumberInput
            data-autofocus
            label={t('Total numbers needed')}
            description={t('You have {limit} now.', { limit: formatNumber(limit) })}
            min={numberBounds.requested[0]}
            max={numberBounds.requested[1]}
            clampBehavior="none"
            {...form.getInputProps('requested')}
          />
          <Textarea
            label={t('Reason')}
            autosize
            minRows={3}
            maxLength={1000}
            {...form.getInputProps('reason')}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('Send request')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
