import type { Adapter } from '../adapter.ts';

/** Name servers of this machine. */
export const publicDns: Adapter = {
  name: 'dns',
  gateways: { dns: async () => (await import('./lookup.ts')).publicDnsGateway() },
};
