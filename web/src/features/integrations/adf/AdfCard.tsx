import { Button } from '@mantine/core';
import { adf as contract } from '#contract';
import { sentences } from '#contract/sentences';
import { formatNumber, t, useApiMutation, useCompanyId } from '#ui';
import { DestinationCard } from '../DestinationCard.tsx';
import { AdfDialog } from './AdfDialog.tsx';
import type { Adf } from './form-values.ts';

/** A CRM that gets leads: where, how it is doing, and what can be done. */
export function AdfCard({ integration }: { integration: Adf }) {
  const companyId = useCompanyId() ?? 0;
  const { mutate, isPending } = useApiMutation(contract.deleteAdfIntegration, {
    invalidates: [contract.listAdfIntegrations],
    success: t(sentences.adfDeleted),
  });
  const { last_error: error } = integration;
  const isOff = integration.status === 'inactive';
  return (
    <DestinationCard
      destination={integration}
      state={isOff ? 'off' : error ? 'failing' : 'active'}
      rows={[
        [t('Sent to'), targetOf(integration)],
        [t('Dealer'), integration.dealer.name],
        [
          t('Last 30 days'),
          t('{sent} sent, {failed} failed', {
            sent: formatNumber(integration.sent_30d),
            failed: formatNumber(integration.failed_30d),
          }),
        ],
      ]}
      lastSentAt={integration.last_sent_at}
      messages={error ? [error.text] : []}
      edit={{
        label: isOff ? t('Edit or turn on') : t('Edit'),
        dialog: (close) => <AdfDialog integration={integration} close={close} />,
      }}
      actions={isOff ? null : <TurnOff id={integration.id} />}
      remove={{
        question: t('No more leads are sent there, and the log of its deliveries is deleted.'),
        run: () => mutate({ params: { companyId, id: integration.id } }),
        isPending,
      }}
    />
  );
}

const targetOf = ({ delivery, to, url }: Adf): string =>
  delivery === 'email' ? to.join(', ') : (url ?? '');

function TurnOff({ id }: { id: number }) {
  const companyId = useCompanyId() ?? 0;
  const { mutate, isPending } = useApiMutation(contract.deactivateAdfIntegration, {
    invalidates: [contract.listAdfIntegrations],
    success: t(sentences.adfDeactivated),
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={isPending}
      onClick={() => void mutate({ params: { companyId, id } })}
    >
      {t('Turn off')}
    </Button>
  );
}
