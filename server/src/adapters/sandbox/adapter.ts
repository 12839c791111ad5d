import type { Adapter } from '../adapter.ts';

/**
 * The sandbox: a simulated carrier with its own outside phones, and stand-ins for third parties that
 * are not connected. It also connects our exchange when it is no carrier itself.
 */
export const sandbox: Adapter = {
  name: 'sandbox',
  gateways: {
    carrier: async (services) => (await import('./carrier.ts')).sandboxCarrier(services),
    exchange: async (services) => (await import('./carrier.ts')).sandboxExchange(services),
    fax: async ({ db, settings }) =>
      (await import('./faxes.ts')).sandboxFaxes(db, settings.mediaSecret),
    callerIdentity: async ({ settings }) =>
      (await import('./identities.ts')).simulatedIdentities(settings.demo),
    numberReputation: async ({ db }) => (await import('./spam-labels.ts')).sandboxReputation(db),
    push: async ({ db, settings }) => {
      const { vapidKeys } = await import('../web-push/push.ts');
      const { publicKey } = vapidKeys(settings.appSecret);
      return (await import('./pushes.ts')).sandboxPush(db, publicKey);
    },
    logSinks: async () => (await import('./log-sinks.ts')).sandboxSinks,
    outbound: async (services) => (await import('./outbound.ts')).sandboxOutbound(services),
    dns: async ({ db }) => (await import('./dns.ts')).sandboxDns(db),
    certificates: async () => (await import('./certificates.ts')).sandboxCertificates(),
    pages: async () => {
      const { publicPageReader } = await import('../pages/read-page.ts');
      return (await import('./registration-sites.ts')).simulatedSites(publicPageReader());
    },
  },
  when: {
    exchange: ({ exchange }) => exchange,
    numberReputation: ({ production, demo }) => !production || demo,
    push: ({ pushEnabled }) => !pushEnabled,
    pages: ({ production, demo }) => !production || demo,
    logSinks: ({ production, demo }) => !production || demo,
    outbound: ({ production, demo }) => !production || demo,
    dns: ({ production, demo }) => !production || demo,
    certificates: ({ production, demo }) => !production || demo,
  },
  jobs: async () => (await import('./jobs.ts')).jobs,
  web: async (app, services, bodies) =>
    (await import('./web.ts')).sandboxWeb(app, services, bodies),
};
