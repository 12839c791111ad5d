import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';
import { signInApp, type SignInApp } from '../openid/credentials.ts';

const names = { id: 'OPENID_CLIENT_ID', secret: 'OPENID_CLIENT_SECRET' } as const;

interface OpenIdSettings extends SignInApp {
  issuer: string;
  label: string;
}

const isOwnMachine = (url: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
/** The library's rule is https; what never leaves this machine needs none. */
const issuer = text.refine((value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url !== null && (url.protocol === 'https:' || isOwnMachine(url));
}, 'must be an address that begins with https://');

/** Null: not set, so there is no OpenID provider of the operator's own. */
const openIdSettings = adapterSettings(
  'sign-in-openid',
  {
    OPENID_ISSUER: variable(
      issuer.optional(),
      '',
      'Sign-in through an OpenID Connect provider of yours (Keycloak, Okta, Auth0 and others): its issuer, exactly as its metadata names it. Its redirect URI is `PUBLIC_URL/api/oauth/openid/callback`',
      { example: 'https://id.example.com/realms/staff', secret: true },
    ),
    OPENID_CLIENT_ID: variable(text.optional(), '', 'Client ID of Trunkline at that provider', {
      example: 'trunkline',
    }),
    OPENID_CLIENT_SECRET: variable(text.optional(), '', 'That client’s secret', {
      example: '…',
      secret: true,
    }),
    OPENID_LABEL: variable(
      text.max(40, 'must have at most 40 characters'),
      'Single sign-on',
      'What the sign-in page calls that provider: “Continue with …”',
    ),
  },
  (read, { problem }): OpenIdSettings | null => {
    const address = read('OPENID_ISSUER');
    const app = signInApp((part) => read(names[part]), names, problem);
    if ((address === undefined) !== (app === null))
      problem('OPENID_ISSUER, OPENID_CLIENT_ID and OPENID_CLIENT_SECRET belong together');
    return address && app ? { ...app, issuer: address, label: read('OPENID_LABEL') } : null;
  },
);

/** Any provider of OpenID Connect, as a way to sign in. */
export const openIdSignIn: Adapter = {
  name: 'sign-in-openid',
  settings: openIdSettings,
  gateways: {
    signIn: async ({ settings }) => {
      const app = openIdSettings.of(settings);
      if (!app) throw new Error('OPENID_ISSUER is not set.');
      const { openIdProvider } = await import('../openid/openid-provider.ts');
      return openIdProvider({ name: 'openid', ...app });
    },
  },
};
