import type { Adapter } from '../adapter.ts';
import { oauthAppSettings } from '../shared/oauth-app.ts';

const salesforceSettings = oauthAppSettings('salesforce', {
  prefix: 'SALESFORCE',
  label: 'Salesforce',
  about: '; make it as an External Client App with the scopes `api`, `openid` and `refresh_token`',
  example: '3MVG9…',
  api: 'https://login.salesforce.com',
});

/** Salesforce: a CRM that companies connect. */
export const salesforce: Adapter = {
  name: 'salesforce',
  settings: salesforceSettings,
  gateways: {
    oauth: async ({ settings }) => {
      const { app } = salesforceSettings.of(settings);
      return app ? [(await import('./oauth.ts')).salesforceOAuth(app)] : [];
    },
    lookups: async () => (await import('./lookups.ts')).salesforceLookups,
    crmReader: async () => (await import('./reader.ts')).salesforceReader,
    destination: async () => (await import('./destination.ts')).salesforceDestination,
  },
  when: { oauth: (settings) => salesforceSettings.of(settings).app !== null },
};
