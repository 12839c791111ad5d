import { calls, forwarding } from '#contract';
import { subscribe } from '../../platform/outbox-relay.ts';
import { onContactChanged, onContactDeleted } from './on-forward-contact.ts';
import { queueCallAlerts } from './call-alerts.ts';

export const subscribers = [
  subscribe(forwarding.forwardContactChanged, 'followContact', onContactChanged),
  subscribe(forwarding.forwardContactDeleted, 'replaceForwardContact', onContactDeleted),
  subscribe(calls.callEnded, 'mailAboutCall', queueCallAlerts),
];
