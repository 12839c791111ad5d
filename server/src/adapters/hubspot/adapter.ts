import type { Adapter } from '../adapter.ts';
import { oauthAppSettings } from '../shared/oauth-app.ts';

const hubspotSettings = oauthAppSettings('hubspot', {
  prefix: 'HUBSPOT',
  label: 'HubSpot',
  example: '7fff1e36-2d40-4ae1-bbb1-5266d59564fb',
  api: 'https://api.hubapi.com',
});

/** HubSpot: a CRM that companies connect. */
export const hubspot: Adapter = {
  name: 'hubspot',
  settings: hubspotSettings,
  gateways: {
    oauth: async ({ settings }) => {
      const { app } = hubspotSettings.of(settings);
      return app ? [(await import('./oauth.ts')).hubspotOAuth(app)] : [];
    },
    lookups: async () => (await import('./lookups.ts')).hubspotLookups,
    crmReader: async () => (await import('./reader.ts')).hubspotReader,
    destination: async () => (await import('./destination.ts')).hubspotDestination,
  },
  when: { oauth: (settings) => hubspotSettings.of(settings).app !== null },
};
