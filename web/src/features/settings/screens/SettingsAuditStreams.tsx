import { useState } from 'react';
import { Alert, Button, Skeleton, Stack } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { auditStreams as contract } from '#contract';
import { EmptyState, ErrorState, t, useApiQuery, useCompanyId } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { AddStream } from '../audit-streams/AddStream.tsx';
import { StreamCard } from '../audit-streams/StreamCard.tsx';

/** Where the company's audit log is sent to as it grows. */
export default function SettingsAuditStreams() {
  const companyId = useCompanyId() ?? 0;
  const [isAdding, setAdding] = useState(false);
  const { response, error, refetch } = useApiQuery(
    contract.listAuditStreams,
    { params: { companyId } },
    // What waits grows without an event.
    { enabled: companyId !== 0, refetchInterval: 30_000 },
  );
  const add = <Button onClick={() => setAdding(true)}>{t('Add stream')}</Button>;
  return (
    <SettingsFrame
      title={t('Audit streams')}
      layout="read"
      description={t('Sends the audit log to your own systems as it grows.')}
      action={response?.data.length ? add : undefined}
    >
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {!response && !error && <Skeleton height={120} />}
      {response && (
        <Stack gap="md">
          {response.meta.simulated && (
            <Alert color="blue">
              {t('Receivers are simulated here: nothing leaves this server.')}
            </Alert>
          )}
          {response.data.length === 0 && (
            <EmptyState
              icon={<IconSend size={28} stroke={1.5} />}
              title={t('No streams yet')}
              action={add}
            >
              {t('Receivers of the audit log appear here: a webhook or an S3 bucket.')}
            </EmptyState>
          )}
          {response.data.map((stream) => (
            <StreamCard key={stream.id} companyId={companyId} stream={stream} />
          ))}
        </Stack>
      )}
      {isAdding && <AddStream companyId={companyId} onClose={() => setAdding(false)} />}
    </SettingsFrame>
  );
}
