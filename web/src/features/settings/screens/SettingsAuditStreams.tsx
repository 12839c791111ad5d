import { IconSend } from '@tabler/icons-react';
import { auditStreams as contract } from '#contract';
import { t, useApiQuery, useCompanyId } from '#ui';
import { ReceiversPage } from '../../../shared/ReceiversPage.tsx';
import { AddStream } from '../audit-streams/AddStream.tsx';
import { StreamCard } from '../audit-streams/StreamCard.tsx';

/** Where the company's audit log is sent to as it grows. */
export default function SettingsAuditStreams() {
  const companyId = useCompanyId() ?? 0;
  const query = useApiQuery(
    contract.listAuditStreams,
    { params: { companyId } },
    // What waits grows without an event.
    { enabled: companyId !== 0, refetchInterval: 30_000 },
  );
  return (
    <ReceiversPage
      title={t('Audit streams')}
      description={t('Sends the audit log to your own systems as it grows.')}
      query={query}
      empty={{
        icon: IconSend,
        title: t('No streams yet'),
        text: t('Receivers of the audit log appear here: a webhook or an S3 bucket.'),
      }}
      adding={{
        label: t('Add stream'),
        dialog: (close) => <AddStream companyId={companyId} onClose={close} />,
      }}
      card={(stream) => <StreamCard companyId={companyId} stream={stream} />}
    />
  );
}
