import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { booleanFlag, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';

const ownProviderSettings = adapterSettings(
  'sign-in-organizations',
  {
    SSO_PRIVATE_NETWORK: variable(
      booleanFlag,
      'false',
      'Lets organizations use an OpenID provider within your own network. Their administrators choose its address, so turn it on only where you trust all of them',
      { example: 'true' },
    ),
  },
  (read) => ({ isPrivateAllowed: read('SSO_PRIVATE_NETWORK') }),
);

/** OpenID providers that organizations bring themselves, on the public internet. */
export const organizationSignIn: Adapter = {
  name: 'sign-in-organizations',
  settings: ownProviderSettings,
  gateways: {
    ownProviders: async ({ settings }) =>
      (await import('./own-providers.ts')).ownProviders(ownProviderSettings.of(settings)),
  },
};
