import { Alert, Code, Skeleton, Stack, Text } from '@mantine/core';
import { integrations } from '#contract';
import { dryRunDays } from '#contract/integrations/rules';
import { ErrorState, Modal, t, Time, useApiQuery, useCompanyId } from '#ui';
import { eventLabel } from '../../shared/delivery-labels.ts';

/** What a destination's rules would have sent of the last weeks' calls. */
export function DryRun({
  destination,
  close,
}: {
  destination: { id: number; name: string };
  close: () => void;
}) {
  const companyId = useCompanyId() ?? 0;
  const { response, error, refetch } = useApiQuery(integrations.dryRunDestination, {
    params: { companyId, destinationId: destination.id },
  });
  const found = response?.data;
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t('Dry run of {name}', { name: destination.name })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {error && !found && <ErrorState error={error} retry={refetch} />}
      {!error && !found && <Skeleton height={160} />}
      {found && (
        <Stack gap="sm">
          <Alert color="blue">
            {t(
              '{n, plural, =0 {No call of the last {days} days would have been sent.} one {# call of the last {days} days would have been sent.} other {# calls of the last {days} days would have been sent.}}',
              { n: found.total, days: String(dryRunDays) },
            )}
          </Alert>
          {found.receiver && (
            <Alert color={found.receiver.accepts ? 'green' : 'yellow'}>{found.receiver.text}</Alert>
          )}
          {found.is_partial && (
            <Text size="sm" c="dimmed">
              {t('There were more calls: only the latest were looked at.')}
            </Text>
          )}
          {found.calls.map((call) => (
            <details key={call.id}>
              <summary>
                {eventLabel(call.event)} · <Time at={call.happened_at} />
              </summary>
              <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {call.request_redacted}
              </Code>
            </details>
          ))}
        </Stack>
      )}
    </Modal>
  );
}
