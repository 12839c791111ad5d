import type { Adapter } from '../adapter.ts';

/** Leads for the CRMs of car dealers, as ADF XML. */
export const adf: Adapter = {
  name: 'adf',
  gateways: { destination: async () => (await import('./destination.ts')).adfDestination },
};
