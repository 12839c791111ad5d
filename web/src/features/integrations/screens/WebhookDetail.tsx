import { useState } from 'react';
import { Alert, Anchor, Box, Select, Skeleton } from '@mantine/core';
import { integrations, webhooks as contract } from '#contract';
import { deliveryEvents, deliveryStates, type DeliveryEvent } from '#contract/integrations/rules';
import {
  DataList,
  EmptyState,
  ErrorState,
  Facts,
  FilterBar,
  formatNumber,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePermission,
  type Column,
} from '#ui';
import { pagedList } from '#ui/list/paged-list.ts';
import { useIdParam } from '../../../shared/params.ts';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import {
  eventLabel,
  stateLabel,
  stateTone,
  type Delivery,
} from '../../../shared/delivery-labels.ts';
import { Actions } from '../webhooks/Actions.tsx';
import { DeliveryDrawer } from '../webhooks/DeliveryDrawer.tsx';
import type { Webhook } from '../webhooks/form-values.ts';
import { WebhookState } from '../webhooks/state.tsx';

/** An endpoint: how it is doing, and every event that it was to get. */
export default function WebhookDetail() {
  const companyId = useCompanyId() ?? 0;
  const id = useIdParam() ?? 0;
  const mayEdit = usePermission('integrations.edit');
  const { response, error, refetch } = useApiQuery(contract.listWebhooks, {
    params: { companyId },
  });
  const webhook = response?.data.find((one) => one.id === id);
  return (
    <SettingsFrame
      title={webhook?.name ?? t('Endpoint')}
      description={webhook?.url ?? ''}
      action={webhook && <WebhookState webhook={webhook} />}
    >
      <Anchor href="/integrations/webhooks" size="sm" display="inline-block" mb="sm">
        {t('All endpoints')}
      </Anchor>
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {!response && !error && <Skeleton height={200} />}
      {response && !webhook && (
        <EmptyState title={t('This endpoint was deleted')}>
          {t('Its log is gone as well.')}
        </EmptyState>
      )}
      {webhook && (
        <>
          <About webhook={webhook} />
          {mayEdit && <Actions webhook={webhook} />}
          <Deliveries webhookId={webhook.id} />
        </>
      )}
    </SettingsFrame>
  );
}

function About({ webhook }: { webhook: Webhook }) {
  const { last_error: error, old_secret_until: oldUntil, last_sent_at: sentAt } = webhook;
  return (
    <>
      {webhook.off_because === 'failing' && (
        <Alert color="red" my="sm" title={t('Turned off after days of failures')}>
          {t('New events are kept. Turn it on when it works again, then replay what it missed.')}
        </Alert>
      )}
      {error && webhook.off_because === null && (
        <Alert color="yellow" my="sm" role="status">
          {error.text}
        </Alert>
      )}
      <Facts
        rows={[
          [t('Events'), webhook.rules.map(({ event }) => eventLabel(event)).join(', ')],
          ...narrowed(webhook),
          [
            t('Signing secret'),
            oldUntil ? (
              <span key="s">
                {webhook.secret_hint} · {t('The old one signs until')} <Time at={oldUntil} />
              </span>
            ) : (
              webhook.secret_hint
            ),
          ],
          [
            t('Last 30 days'),
            t('{sent} sent, {failed} failed', {
              sent: formatNumber(webhook.sent_30d),
              failed: formatNumber(webhook.failed_30d),
            }),
          ],
          [t('Last sent'), sentAt ? <Time key="t" at={sentAt} as="ago" /> : t('Never')],
        ]}
      />
    </>
  );
}

/** Of how many numbers and sources they are, where not of all. */
function narrowed({ rules: [rule] }: Webhook): [string, string][] {
  const counts = [
    [t('Numbers'), rule?.number_ids.length ?? 0],
    [t('Sources'), rule?.sources.length ?? 0],
  ] as const;
  return counts.flatMap(([label, n]) =>
    n > 0 ? [[label, t('Only {n}', { n: formatNumber(n) })]] : [],
  );
}

const defaults = { state: '', event: '', page: 1 };
const PER_PAGE = 25;
/** Two stand side by side on a phone. */
const filterWidth = { base: 'calc(50% - 4px)', sm: 200 };

function Deliveries({ webhookId }: { webhookId: number }) {
  const companyId = useCompanyId() ?? 0;
  const { filters, set, clear, isFiltered } = useFilters(defaults);
  const [openId, setOpenId] = useState<number | null>(null);
  const { state, event, page } = filters;
  const query = useApiQuery(integrations.listDeliveries, {
    params: { companyId, destinationId: webhookId },
    query: {
      ...{ page, perPage: PER_PAGE },
      ...(state && { state: state as Delivery['state'] }),
      ...(event && { event: event as DeliveryEvent }),
    },
  });
  return (
    <Box component="section" aria-label={t('Deliveries')} mt="lg">
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <Select
          w={filterWidth}
          aria-label={t('State')}
          placeholder={t('Every state')}
          clearable
          clearButtonProps={{ 'aria-label': t('Every state') }}
          data={deliveryStates.map((value) => ({ value, label: stateLabel(value) }))}
          value={state || null}
          onChange={(value) => set({ state: value ?? '', page: 1 })}
        />
        <Select
          w={filterWidth}
          aria-label={t('Event')}
          placeholder={t('Every event')}
          clearable
          clearButtonProps={{ 'aria-label': t('Every event') }}
          data={deliveryEvents.map((value) => ({ value, label: eventLabel(value) }))}
          value={event || null}
          onChange={(value) => set({ event: value ?? '', page: 1 })}
        />
      </FilterBar>
      <DataList
        label={t('Deliveries')}
        {...pagedList(query, { filters, set }, { perPage: PER_PAGE })}
        rowKey={({ id }) => id}
        rowLabel={(one) => eventLabel(one.event)}
        onOpen={({ id }) => setOpenId(id)}
        columns={columns()}
        empty={
          isFiltered ? (
            <EmptyState title={t('No events match')}>{t('Try another state or event.')}</EmptyState>
          ) : (
            <EmptyState title={t('Nothing delivered yet')}>
              {t('Events appear here as they happen, with what was sent and answered.')}
            </EmptyState>
          )
        }
      />
      {openId !== null && <DeliveryDrawer deliveryId={openId} close={() => setOpenId(null)} />}
    </Box>
  );
}

const columns = (): Column<Delivery>[] => [
  {
    key: 'event',
    title: t('Event'),
    width: 'minmax(120px, 1fr)',
    cell: ({ event }) => eventLabel(event),
  },
  {
    key: 'state',
    title: t('State'),
    width: '120px',
    cell: ({ state }) => <StatusBadge tone={stateTone[state]}>{stateLabel(state)}</StatusBadge>,
  },
  {
    key: 'code',
    title: t('Answer'),
    width: '90px',
    wideOnly: true,
    cell: ({ response_code: code }) => code ?? '–',
  },
  {
    key: 'attempts',
    title: t('Tries'),
    width: '70px',
    align: 'end',
    wideOnly: true,
    cell: ({ attempts }) => attempts,
  },
  {
    key: 'at',
    title: t('Happened'),
    width: 'minmax(120px, 190px)',
    cell: ({ happened_at: at }) => <Time at={at} as="moment" />,
  },
];
