import { useState } from 'react';
import { Button } from '@mantine/core';
import { formatNumber, Modal, t } from '#ui';
import css from '#ui/components/selection-bar.module.css';
import { DismissForm } from './DismissForm.tsx';
import type { Alert } from './labels.ts';
import { useUpdateAlerts } from './use-update-alerts.ts';

/** What can be done with several alerts at once. Closed ones among them stay as they are. */
export function AlertBulkBar({ alerts, clear }: { alerts: readonly Alert[]; clear: () => void }) {
  const [dismissing, setDismissing] = useState(false);
  const { update, isPending } = useUpdateAlerts();
  if (alerts.length === 0) return null;
  const acknowledge = async (): Promise<void> => {
    if (await update(alerts, { state: 'acknowledged' })) clear();
  };
  const n = alerts.length;
  return (
    <div className={css.bar} role="toolbar" aria-label={t('Selected alerts')}>
      <span className={css.count} role="status">
        {t('{n} selected', { n: formatNumber(n) })}
      </span>
      <Button
        size="compact-sm"
        variant="default"
        loading={isPending}
        onClick={() => void acknowledge()}
      >
        {t('Acknowledge')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setDismissing(true)}>
        {t('Dismiss')}
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
        {t('Clear selection')}
      </Button>
      {dismissing && (
        <Modal
          opened
          onClose={() => setDismissing(false)}
          size="sm"
          closeButtonProps={{ 'aria-label': t('Close') }}
          title={t('Dismiss {n, plural, one {# alert} other {# alerts}}', { n })}
        >
          <DismissForm
            alerts={alerts}
            close={() => setDismissing(false)}
            done={() => {
              setDismissing(false);
              clear();
            }}
          />
        </Modal>
      )}
    </div>
  );
}
