import { StatusBadge, t } from '#ui';

/** A company's status as a badge. */
export function AccountStatus({ status }: { status: 0 | 1 | 2 }) {
  if (status === 0) return <StatusBadge tone="success">{t('Active')}</StatusBadge>;
  if (status === 1) return <StatusBadge tone="warn">{t('Parked')}</StatusBadge>;
  return <StatusBadge tone="danger">{t('Deactivated')}</StatusBadge>;
}
