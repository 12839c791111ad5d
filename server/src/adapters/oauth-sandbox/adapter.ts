import type { Adapter } from '../adapter.ts';

/** Simulated providers for the demo, so that everything can be connected without an account. */
export const sandboxOAuthProviders: Adapter = {
  name: 'oauth-sandbox',
  gateways: {
    oauth: async (services) => (await import('./providers.ts')).sandboxOAuth(services),
  },
  when: { oauth: ({ demo }) => demo },
  web: async (app, services) => {
    if (!services.settings.demo) return;
    await app.register((await import('./consent-page.ts')).sandboxConsentRoutes(services));
    await app.register((await import('./slack-workspace.ts')).sandboxSlackPage(services));
    await app.register((await import('./hubspot-page.ts')).sandboxHubspotPage(services));
    await app.register((await import('./salesforce-org.ts')).sandboxSalesforcePage(services));
    await app.register((await import('./gohighlevel-account.ts')).sandboxHighLevelPage(services));
    await app.register((await import('./conversions.ts')).sandboxConversionsPage(services));
  },
};
