import type { Adapter } from '../adapter.ts';
import { bandwidthSettings } from './settings.ts';

/** Bandwidth: calls, texts, numbers, registrations and ports. docs/carriers/bandwidth.md */
export const bandwidth: Adapter = {
  name: 'bandwidth',
  settings: bandwidthSettings,
  gateways: {
    carrier: async (services) => (await import('./carrier.ts')).bandwidthCarrier(services),
  },
  account: async (settings, log) => (await import('./carrier.ts')).bandwidthAccount(settings, log),
};
