import { Button } from '@mantine/core';
import { integrations } from '#contract';
import { t, useApiMutation, usePermission } from '#ui';
import type { Alert } from './labels.ts';
import { changedLists } from './use-update-alerts.ts';

const DAY_MS = 86_400_000;
/** The alert looks at the events of two days. */
const lookBackMs = 2 * DAY_MS;

/** What cures an alert here and now, where that can do no harm. */
export function AlertCure({ alert }: { alert: Alert }) {
  const isOver = alert.state === 'resolved' || alert.state === 'dismissed';
  if (isOver || alert.kind !== 'webhook_dead') return null;
  return <SendAgain alert={alert} />;
}

/** Sends what a webhook didn't get once more; it knows an event it has had by its ID. */
function SendAgain({ alert }: { alert: Alert }) {
  const mayEdit = usePermission('integrations.edit');
  const { mutate, isPending } = useApiMutation(integrations.replayDeliveries, {
    success: ({ data: { queued } }) =>
      t('{n, plural, one {# event is} other {# events are}} sent again', { n: queued }),
    invalidates: [integrations.listDeliveries, ...changedLists],
  });
  if (!mayEdit) return null;
  const send = (): void => {
    const since = new Date(Date.parse(alert.first_seen_at) - lookBackMs).toISOString();
    void mutate({
      params: { companyId: alert.company.id, destinationId: alert.subject.id },
      body: { since, until: new Date().toISOString(), only: 'undelivered' },
    });
  };
  return (
    <Button variant="default" size="compact-md" loading={isPending} onClick={send}>
      {t('Send again what failed')}
    </Button>
  );
}
