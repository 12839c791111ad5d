import type { Adapter } from '../adapter.ts';

/** Simulated Google and Apple accounts for the demo, so that both buttons of Caddy work without any. */
export const sandboxIdTokens: Adapter = {
  name: 'id-tokens-sandbox',
  gateways: {
    idTokens: async (services) => (await import('./accounts.ts')).sandboxIdTokenProviders(services),
  },
  when: { idTokens: ({ demo }) => demo },
  web: async (app, services) => {
    if (services.settings.demo)
      await app.register((await import('./page.ts')).sandboxAccountsPage(services));
  },
};
