import type { Adapter } from '../adapter.ts';

/** Google Analytics 4, by its Measurement Protocol. */
export const ga4: Adapter = {
  name: 'ga4',
  gateways: { destination: async () => (await import('./destination.ts')).ga4Destination },
};
