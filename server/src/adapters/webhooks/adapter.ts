import type { Adapter } from '../adapter.ts';

/** Events for companies' own programs, by the Standard Webhooks convention. */
export const webhooks: Adapter = {
  name: 'webhooks',
  gateways: { destination: async () => (await import('./destination.ts')).webhookDestination },
};
