import { Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { integrations } from '#contract';
import {
  Drawer,
  ErrorState,
  Facts,
  StatusBadge,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  usePermission,
} from '#ui';
import {
  eventLabel,
  stateLabel,
  stateTone,
  type Delivery,
} from '../../../shared/delivery-labels.ts';
import { readable } from './readable.ts';

/** One delivery: what was sent, each try with its answer, and a replay. */
export function DeliveryDrawer({ deliveryId, close }: { deliveryId: number; close: () => void }) {
  const companyId = useCompanyId() ?? 0;
  const { response, error, refetch } = useApiQuery(integrations.getDelivery, {
    params: { companyId, deliveryId },
  });
  const delivery = response?.data;
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="38rem"
      title={delivery ? eventLabel(delivery.event) : t('Event')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {error && !delivery && <ErrorState error={error} retry={refetch} />}
      {!error && !delivery && <Skeleton height={240} />}
      {delivery && (
        <Stack gap="md">
          <Summary delivery={delivery} />
          <div>
            <Text size="sm" fw={600} mb={4}>
              {t('Tries')}
            </Text>
            {delivery.tries.length === 0 && <Text size="sm">{t('Not tried yet')}</Text>}
            <Stack gap="xs" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
              {delivery.tries.map((one) => (
                <Try key={one.id} attempt={one} />
              ))}
            </Stack>
          </div>
          <div>
            <Text size="sm" fw={600} mb={4}>
              {t('Sent, with contact details hidden')}
            </Text>
            <Code
              block
              tabIndex={0}
              style={{
                ...{ maxHeight: 320, overflow: 'auto' },
                ...{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
              }}
            >
              {readable(delivery.request_redacted) ?? t('Nothing yet')}
            </Code>
          </div>
        </Stack>
      )}
    </Drawer>
  );
}

function Summary({ delivery }: { delivery: Delivery }) {
  const { entity } = delivery;
  return (
    <div>
      <Facts
        rows={[
          [
            t('State'),
            <StatusBadge key="s" tone={stateTone[delivery.state]}>
              {stateLabel(delivery.state)}
            </StatusBadge>,
          ],
          [t('Happened'), <Time key="h" at={delivery.happened_at} as="instant" />],
          [t('Event ID'), <code key="i">{`msg_${delivery.id}`}</code>],
          ...(delivery.next_try_at && delivery.attempts > 0
            ? [
                [t('Next try'), <Time key="n" at={delivery.next_try_at} as="instant" />] as [
                  string,
                  JSX,
                ],
              ]
            : []),
        ]}
      />
      <Group gap="xs" mt="xs">
        <Replay delivery={delivery} />
        {entity.type === 'call' && (
          <Button component="a" href={`/calls/${entity.id}`} variant="default" size="compact-sm">
            {t('Open call')}
          </Button>
        )}
      </Group>
    </div>
  );
}
type JSX = React.JSX.Element;

interface Attempt {
  id: number;
  at: string;
  duration_ms: number;
  response_code: number | null;
  response_excerpt: string | null;
  error: string | null;
}

const Try = ({ attempt }: { attempt: Attempt }) => (
  <li>
    <Group gap="xs">
      <StatusBadge tone={attempt.error === null ? 'success' : 'danger'}>
        {attempt.response_code === null ? t('No answer') : String(attempt.response_code)}
      </StatusBadge>
      <Text size="sm" c="dimmed">
        <Time at={attempt.at} as="instant" /> · {t('{ms} ms', { ms: String(attempt.duration_ms) })}
      </Text>
    </Group>
    {attempt.error && <Text size="sm">{attempt.error}</Text>}
    {attempt.response_excerpt && (
      <Code block mt={4} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {attempt.response_excerpt}
      </Code>
    )}
  </li>
);

function Replay({ delivery }: { delivery: Delivery }) {
  const companyId = useCompanyId() ?? 0;
  const mayEdit = usePermission('integrations.edit');
  const { mutate, isPending } = useApiMutation(integrations.replayDelivery, {
    invalidates: [integrations.listDeliveries, integrations.getDelivery],
    success: t('Delivery queued'),
  });
  if (!mayEdit) return null;
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={isPending}
      onClick={() => void mutate({ params: { companyId, deliveryId: delivery.id } })}
    >
      {delivery.state === 'failed' || delivery.state === 'queued' ? t('Try now') : t('Replay')}
    </Button>
  );
}
