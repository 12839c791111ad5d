import { useState } from 'react';
import { Alert, Button } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { webhooks as contract } from '#contract';
import {
  DataList,
  EmptyState,
  formatNumber,
  t,
  Time,
  useApiQuery,
  useCompanyId,
  usePermission,
  type Column,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import type { Webhook } from '../webhooks/form-values.ts';
import { WebhookState } from '../webhooks/state.tsx';
import { WebhookDialog } from '../webhooks/WebhookDialog.tsx';

/** The addresses that events are sent to. */
export default function Webhooks() {
  const companyId = useCompanyId() ?? 0;
  const mayEdit = usePermission('integrations.edit');
  const [isAdding, setAdding] = useState(false);
  const { response, error, loading, refetch } = useApiQuery(contract.listWebhooks, {
    params: { companyId },
  });
  const add = mayEdit && <Button onClick={() => setAdding(true)}>{t('Add endpoint')}</Button>;
  return (
    <SettingsFrame
      title={t('Webhooks')}
      layout="fill"
      description={t(
        'Sends events to your own programs, signed by the Standard Webhooks convention.',
      )}
      action={response?.data.length ? add : undefined}
    >
      {response?.meta.simulated && (
        <Alert color="blue" mb="sm">
          {t('Receivers are simulated here: nothing leaves this server.')}
        </Alert>
      )}
      <DataList
        label={t('Endpoints')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        href={({ id }) => `/integrations/webhooks/${id}`}
        columns={columns()}
        empty={
          <EmptyState
            icon={<IconWebhook size={28} stroke={1.5} />}
            title={t('No endpoints yet')}
            action={add}
          >
            {t('Add the address of a program that should know of calls, texts and forms.')}
          </EmptyState>
        }
      />
      {isAdding && <WebhookDialog close={() => setAdding(false)} />}
    </SettingsFrame>
  );
}

const columns = (): Column<Webhook>[] => [
  { key: 'name', title: t('Name'), width: 'minmax(120px, 1fr)', cell: ({ name }) => name },
  {
    key: 'url',
    title: t('Address'),
    width: 'minmax(160px, 2fr)',
    wideOnly: true,
    cell: ({ url }) => <span title={url}>{url}</span>,
  },
  {
    key: 'state',
    title: t('State'),
    width: '190px',
    cell: (webhook) => <WebhookState webhook={webhook} />,
  },
  {
    key: 'sent',
    title: t('30 days'),
    width: '90px',
    align: 'end',
    wideOnly: true,
    cell: ({ sent_30d: sent }) => formatNumber(sent),
  },
  {
    key: 'last',
    title: t('Last sent'),
    width: '120px',
    wideOnly: true,
    cell: ({ last_sent_at: at }) => (at ? <Time at={at} as="ago" /> : t('Never')),
  },
];
