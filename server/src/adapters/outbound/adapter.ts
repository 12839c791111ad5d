import type { Adapter } from '../adapter.ts';

/** Receivers of companies' deliveries, on the public internet. */
export const publicOutbound: Adapter = {
  name: 'outbound',
  gateways: { outbound: async () => (await import('./send.ts')).publicOutbound() },
};
