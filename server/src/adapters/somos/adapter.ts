import type { Adapter } from '../adapter.ts';
import { somosSettings } from './settings.ts';

/** Somos, the registry of toll-free numbers. docs/carriers/somos.md */
export const somos: Adapter = {
  name: 'somos',
  settings: somosSettings,
  gateways: {
    carrier: async (services) => (await import('./carrier.ts')).somosCarrier(services),
  },
};
