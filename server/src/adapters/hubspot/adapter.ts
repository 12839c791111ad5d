import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, url, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';
import type { HubspotSettings } from './oauth.ts';

/** Its app is null where none is set: then only a simulated account can be connected, in the demo. */
const hubspotSettings = adapterSettings(
  'hubspot',
  {
    HUBSPOT_CLIENT_ID: variable(
      text.optional(),
      '',
      'HubSpot: client ID of your app there; with its secret, companies can connect their HubSpot accounts. Its redirect URL is `PUBLIC_URL/api/oauth-integrations/hubspot/callback`',
      { example: '7fff1e36-2d40-4ae1-bbb1-5266d59564fb' },
    ),
    HUBSPOT_CLIENT_SECRET: variable(text.optional(), '', 'HubSpot: that app’s client secret', {
      example: '…',
      secret: true,
    }),
    HUBSPOT_API_URL: variable(
      url('http:', 'https:').optional(),
      '',
      'HubSpot: URL of its API and consent page; only for tests and proxies',
      { example: 'https://api.hubapi.com', internal: true, secret: true },
    ),
  },
  (read, { problem }): { app: HubspotSettings | null } => {
    const [clientId, clientSecret] = [read('HUBSPOT_CLIENT_ID'), read('HUBSPOT_CLIENT_SECRET')];
    if ((clientId === undefined) !== (clientSecret === undefined))
      problem('HUBSPOT_CLIENT_ID and HUBSPOT_CLIENT_SECRET belong together. Set both, or neither');
    if (!clientId || !clientSecret) return { app: null };
    const apiUrl = read('HUBSPOT_API_URL')?.replace(/\/+$/, '') ?? null;
    return { app: { clientId, clientSecret, apiUrl } };
  },
);

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
    destination: async () => (await import('./destination.ts')).hubspotDestination,
  },
  when: { oauth: (settings) => hubspotSettings.of(settings).app !== null },
};
