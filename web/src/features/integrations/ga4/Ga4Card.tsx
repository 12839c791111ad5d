import { ga4 as contract } from '#contract';
import { ga4EventName } from '#contract/integrations/ga4/rules';
import { formatNumber, t, useApiMutation, useCompanyId } from '#ui';
import { DestinationCard } from '../DestinationCard.tsx';
import type { Ga4 } from './form-values.ts';
import { Ga4Dialog } from './Ga4Dialog.tsx';

/** A property that gets events: which ones, how it is doing, and what can be done. */
export function Ga4Card({ integration }: { integration: Ga4 }) {
  const companyId = useCompanyId() ?? 0;
  const { mutate, isPending } = useApiMutation(contract.deleteGa4Integration, {
    invalidates: [contract.listGa4Integrations],
    success: t('GA4 integration deleted'),
  });
  const { enabled, lastStatus } = integration;
  const events = integration.events.map((one) => one.eventName ?? ga4EventName(one.trigger));
  return (
    <DestinationCard
      destination={integration}
      state={!enabled ? 'off' : lastStatus === 'error' ? 'failing' : 'active'}
      rows={[
        [t('Measurement ID'), integration.measurementId],
        [t('API secret'), integration.apiSecret],
        [t('Events'), [...new Set(events)].join(', ')],
        [t('Last 24 hours'), t('{n} sent', { n: formatNumber(integration.sent24h) })],
      ]}
      lastSentAt={integration.lastSentAt}
      messages={integration.lastMessages.map(({ text }) => text)}
      edit={{
        label: t('Edit'),
        dialog: (close) => <Ga4Dialog integration={integration} close={close} />,
      }}
      remove={{
        question: t('No more events are sent there, and the log of its deliveries is deleted.'),
        run: () => mutate({ params: { companyId, id: integration.id } }),
        isPending,
      }}
    />
  );
}
