import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

const invalidates = ['listAlerts', 'countAlerts', 'getAlert', 'listAlertHistory'];

/** An alert was raised, or raised again. */
export const alertOpened = event<typeof payloads.alertOpened>({
  name: 'alert-opened',
  channel: 'companies',
  invalidates,
});

/** An alert was acknowledged, dismissed or resolved, by a person or because its cause is gone. */
export const alertResolved = event<typeof payloads.alertResolved>({
  name: 'alert-resolved',
  channel: 'companies',
  invalidates,
});
