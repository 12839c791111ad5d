import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';
import { oauthAppSettings } from '../shared/oauth-app.ts';

const app = oauthAppSettings('googleads', {
  prefix: 'GOOGLE_ADS',
  label: 'Google Ads',
  about: '; turn on the Data Manager API there',
  example: '1234567890-abc.apps.googleusercontent.com',
  api: 'https://oauth2.googleapis.com',
});
const googleSettings = adapterSettings(
  'googleads',
  {
    ...app.variables,
    GOOGLE_ADS_DEVELOPER_TOKEN: variable(
      text.optional(),
      '',
      'Google Ads: developer token of a manager account; without it, people enter customer and conversion IDs instead of choosing them',
      { example: '…', secret: true },
    ),
  },
  (read, context) => ({
    // Its variables are among these.
    ...app.parse(read as (name: string) => unknown, context),
    developerToken: read('GOOGLE_ADS_DEVELOPER_TOKEN') ?? null,
  }),
);

/** Google Ads: conversions by the Data Manager API, look-ups by the Google Ads API. */
export const googleads: Adapter = {
  name: 'googleads',
  settings: googleSettings,
  gateways: {
    oauth: async ({ settings }) => {
      const { app: own, developerToken } = googleSettings.of(settings);
      if (!own) return [];
      return [
        (await import('./oauth.ts')).googleAdsOAuth(own, { looksUp: developerToken !== null }),
      ];
    },
    lookups: async ({ settings }) => {
      const { developerToken } = googleSettings.of(settings);
      // The simulated account takes any.
      return (await import('./lookups.ts')).googleLookups(developerToken ?? 'simulated');
    },
    destination: async () => (await import('./destination.ts')).googleDestination,
  },
  when: {
    oauth: (settings) => googleSettings.of(settings).app !== null,
    lookups: (settings) => settings.demo || googleSettings.of(settings).developerToken !== null,
  },
};
