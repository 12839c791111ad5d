import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/**
 * State of a carrier account, published to every company, as carriers belong to the installation.
 * `working`: what waited for it can continue.
 */
export const carrierAccountChanged = event<typeof payloads.carrierAccountChanged>({
  name: 'carrier.account_changed',
  channel: 'companies',
  invalidates: ['listCarriers'],
});

export const failoverChanged = event<typeof payloads.failoverChanged>({
  name: 'number.failover_changed',
  channel: 'companies',
  invalidates: ['getFailover'],
  about: ['numberId'],
});
