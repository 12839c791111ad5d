import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** Told to every company: the carriers are the installation's. `working`: what waits for it may go on. */
export const carrierAccountChanged = event<typeof payloads.carrierAccountChanged>({
  name: 'carrier.account_changed',
  channel: 'companies',
  touches: ['listCarriers'],
});

export const failoverChanged = event<typeof payloads.failoverChanged>({
  name: 'number.failover_changed',
  channel: 'companies',
  touches: ['getFailover'],
  about: ['numberId'],
});
