import type { Answer, integrations } from '#contract';
import type { DeliveryEvent } from '#contract/integrations/rules';
import { t, type Tone } from '#ui';

export type Delivery = Answer<typeof integrations.listDeliveries>['data'][number];

/** What happened, as a rule names it. */
export function eventLabel(event: DeliveryEvent): string {
  const labels: Record<DeliveryEvent, string> = {
    'call.completed': t('Call ended'),
    'call.answered': t('Call answered'),
    'call.missed': t('Call missed'),
    voicemail: t('Voicemail left'),
    'message.received': t('Text received'),
    qualified: t('Call qualified'),
    lead: t('Marked as a lead'),
    outcome_tag: t('Outcome set'),
    form: t('Form sent'),
  };
  return labels[event];
}

export const stateTone: Record<Delivery['state'], Tone> = {
  queued: 'neutral',
  failed: 'warn',
  sent: 'success',
  dead: 'danger',
  skipped: 'neutral',
};
/** What became of a delivery. */
export function stateLabel(state: Delivery['state']): string {
  const labels = {
    queued: t('Waiting'),
    failed: t('Retrying'),
    sent: t('Sent'),
    dead: t('Given up'),
    skipped: t('Left out'),
  };
  return labels[state];
}
