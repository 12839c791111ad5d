import { StatusBadge, t } from '#ui';
import type { Webhook } from './form-values.ts';

/** How an endpoint is doing. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  if (webhook.off_because === 'failing')
    return <StatusBadge tone="danger">{t('Turned off after failing')}</StatusBadge>;
  if (webhook.status === 'inactive') return <StatusBadge tone="neutral">{t('Off')}</StatusBadge>;
  return webhook.last_error ? (
    <StatusBadge tone="warn">{t('Failing')}</StatusBadge>
  ) : (
    <StatusBadge tone="success">{t('Active')}</StatusBadge>
  );
}
