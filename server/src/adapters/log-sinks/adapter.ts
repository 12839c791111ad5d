import type { Adapter } from '../adapter.ts';

/** Webhooks and buckets of companies, on the public internet. */
export const publicLogSinks: Adapter = {
  name: 'log-sinks',
  gateways: { logSinks: async () => (await import('./deliver.ts')).publicSinks() },
};
