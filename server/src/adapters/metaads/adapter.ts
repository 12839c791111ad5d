import type { Adapter } from '../adapter.ts';
import { oauthAppSettings } from '../shared/oauth-app.ts';

const metaSettings = oauthAppSettings('metaads', {
  prefix: 'META',
  label: 'Meta Ads',
  about: '; it needs `ads_management` and `business_management`',
  example: '1234567890123456',
  api: 'https://graph.facebook.com',
});

/** Meta: conversions of Facebook and Instagram ads. */
export const metaads: Adapter = {
  name: 'metaads',
  settings: metaSettings,
  gateways: {
    oauth: async ({ settings }) => {
      const { app } = metaSettings.of(settings);
      return app ? [(await import('./oauth.ts')).metaOAuth(app)] : [];
    },
    lookups: async () => (await import('./lookups.ts')).metaLookups,
    destination: async () => (await import('./destination.ts')).metaDestination,
  },
  when: { oauth: (settings) => metaSettings.of(settings).app !== null },
};
