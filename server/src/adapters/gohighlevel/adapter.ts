import type { Adapter } from '../adapter.ts';
import { oauthAppSettings } from '../shared/oauth-app.ts';

const highLevelSettings = oauthAppSettings('gohighlevel', {
  prefix: 'GOHIGHLEVEL',
  label: 'GoHighLevel',
  about:
    '; make it in the Marketplace for sub-accounts, with the scopes of contacts, opportunities, and locations with their tags and custom fields',
  example: '65f0c217a1b2c3d4e5f60718-lt1abcde',
  api: 'https://services.leadconnectorhq.com',
});

/** GoHighLevel: a CRM that companies connect. */
export const gohighlevel: Adapter = {
  name: 'gohighlevel',
  settings: highLevelSettings,
  gateways: {
    oauth: async ({ settings }) => {
      const { app } = highLevelSettings.of(settings);
      return app ? [(await import('./oauth.ts')).highLevelOAuth(app)] : [];
    },
    lookups: async () => (await import('./lookups.ts')).highLevelLookups,
    destination: async () => (await import('./destination.ts')).highLevelDestination,
  },
  when: { oauth: (settings) => highLevelSettings.of(settings).app !== null },
};
