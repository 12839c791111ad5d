import { StatusBadge, t } from '#ui';

/** Whom a request waits for. */
export function TicketStatus({ status }: { status: 'open' | 'answered' | 'closed' }) {
  if (status === 'closed') return <StatusBadge>{t('Closed')}</StatusBadge>;
  return status === 'answered' ? (
    <StatusBadge tone="success">{t('Answered')}</StatusBadge>
  ) : (
    <StatusBadge tone="info">{t('Open')}</StatusBadge>
  );
}
