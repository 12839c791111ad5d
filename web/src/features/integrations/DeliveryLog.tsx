import { useState } from 'react';
import { Button, Code, Group, Pagination, Skeleton, Stack, Text } from '@mantine/core';
import { integrations } from '#contract';
import {
  Drawer,
  EmptyState,
  ErrorState,
  Section,
  StatusBadge,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  usePermission,
} from '#ui';
import { eventLabel, stateLabel, stateTone, type Delivery } from '../../shared/delivery-labels.ts';

const PER_PAGE = 10;

/** What was delivered to a destination, newest first, each with what was sent and answered. */
export function DeliveryLog({
  destination,
  close,
}: {
  destination: { id: number; name: string };
  close: () => void;
}) {
  const companyId = useCompanyId() ?? 0;
  const [page, setPage] = useState(1);
  const { response, error, refetch } = useApiQuery(integrations.listDeliveries, {
    params: { companyId, destinationId: destination.id },
    query: { page, perPage: PER_PAGE },
  });
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="38rem"
      title={t('Deliveries to {name}', { name: destination.name })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {!error && !response && <Skeleton height={240} />}
      {response?.data.length === 0 && (
        <EmptyState title={t('Nothing delivered yet')}>
          {t('What your rules ask for appears here, with what was sent and answered.')}
        </EmptyState>
      )}
      <Stack gap="md">
        {response?.data.map((delivery) => (
          <Entry key={delivery.id} delivery={delivery} />
        ))}
        {response && response.meta.last_page > 1 && (
          <Pagination total={response.meta.last_page} value={page} onChange={setPage} />
        )}
      </Stack>
    </Drawer>
  );
}

function Entry({ delivery }: { delivery: Delivery }) {
  const [isOpen, setOpen] = useState(false);
  const { entity } = delivery;
  return (
    <Section
      title={eventLabel(delivery.event)}
      action={
        <StatusBadge tone={stateTone[delivery.state]}>{stateLabel(delivery.state)}</StatusBadge>
      }
    >
      <Text size="sm" c="dimmed">
        <Time at={delivery.happened_at} />
        {' · '}
        {t('{n, plural, =0 {Not tried yet} one {# try} other {# tries}}', {
          n: delivery.attempts,
        })}
        {delivery.next_try_at && delivery.attempts > 0 && (
          <>
            {' · '}
            {t('Next try')} <Time at={delivery.next_try_at} />
          </>
        )}
      </Text>
      {delivery.error && <Text size="sm">{delivery.error}</Text>}
      <Group gap="xs" mt="xs">
        <Button variant="default" size="compact-sm" onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('Hide details') : t('Show details')}
        </Button>
        {entity.type === 'call' && (
          <Button component="a" href={`/calls/${entity.id}`} variant="subtle" size="compact-sm">
            {t('Open call')}
          </Button>
        )}
        <Replay delivery={delivery} />
      </Group>
      {isOpen && <Details delivery={delivery} />}
    </Section>
  );
}

function Details({ delivery }: { delivery: Delivery }) {
  const { request_redacted: request, response_code: code, response_excerpt: answer } = delivery;
  return (
    <Stack gap="xs" mt="sm">
      <Text size="sm" fw={600}>
        {t('Sent, with contact details hidden')}
      </Text>
      <Code
        block
        style={{
          ...{ maxHeight: 280, overflow: 'auto' },
          ...{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
        }}
        tabIndex={0}
      >
        {request ?? t('Nothing yet')}
      </Code>
      {code !== null && (
        <>
          <Text size="sm" fw={600}>
            {t('Answered with status {code}', { code: String(code) })}
          </Text>
          {answer && (
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {answer}
            </Code>
          )}
        </>
      )}
    </Stack>
  );
}

function Replay({ delivery }: { delivery: Delivery }) {
  const companyId = useCompanyId() ?? 0;
  const mayEdit = usePermission('integrations.edit');
  const { mutate, isPending } = useApiMutation(integrations.replayDelivery, {
    invalidates: [integrations.listDeliveries],
    success: t('Delivery queued'),
  });
  if (!mayEdit) return null;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      loading={isPending}
      onClick={() => void mutate({ params: { companyId, deliveryId: delivery.id } })}
    >
      {delivery.state === 'failed' || delivery.state === 'queued' ? t('Try now') : t('Send again')}
    </Button>
  );
}
