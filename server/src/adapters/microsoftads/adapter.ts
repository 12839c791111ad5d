import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';
import { oauthAppSettings } from '../shared/oauth-app.ts';

const app = oauthAppSettings('microsoftads', {
  prefix: 'MICROSOFT_ADS',
  label: 'Microsoft Ads',
  about: '; register it for accounts in any directory and personal accounts',
  example: '11111111-2222-3333-4444-555555555555',
  api: 'https://login.microsoftonline.com',
});
const microsoftSettings = adapterSettings(
  'microsoftads',
  {
    ...app.variables,
    MICROSOFT_ADS_DEVELOPER_TOKEN: variable(
      text.optional(),
      '',
      'Microsoft Ads: developer token of a super admin’s account; every request needs it',
      { example: '…', secret: true },
    ),
  },
  (read, context) => {
    // Its variables are among these.
    const own = app.parse(read as (name: string) => unknown, context).app;
    const developerToken = read('MICROSOFT_ADS_DEVELOPER_TOKEN');
    if ((own === null) !== (developerToken === undefined))
      context.problem(
        'MICROSOFT_ADS_CLIENT_ID and MICROSOFT_ADS_DEVELOPER_TOKEN belong together. Set both, or neither',
      );
    return own && developerToken ? { ...own, developerToken } : { developerToken: null };
  },
);

/** Microsoft Ads: conversions and look-ups by the REST form of its API. */
export const microsoftads: Adapter = {
  name: 'microsoftads',
  settings: microsoftSettings,
  gateways: {
    oauth: async ({ settings }) => {
      const own = microsoftSettings.of(settings);
      return own.developerToken === null
        ? []
        : [(await import('./oauth.ts')).microsoftAdsOAuth(own, own.developerToken)];
    },
    // The simulated account takes any token.
    lookups: async ({ settings }) => {
      const { developerToken } = microsoftSettings.of(settings);
      return (await import('./lookups.ts')).microsoftLookups(developerToken ?? 'simulated');
    },
    destination: async ({ settings }) => {
      const { developerToken } = microsoftSettings.of(settings);
      return (await import('./destination.ts')).microsoftDestination(developerToken ?? 'simulated');
    },
  },
  when: { oauth: (settings) => microsoftSettings.of(settings).developerToken !== null },
};
