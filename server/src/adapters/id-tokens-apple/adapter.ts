import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { list, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';

/** Null: not set, so individuals can't sign in with Apple. */
const appleSettings = adapterSettings(
  'id-tokens-apple',
  {
    CADDY_APPLE_CLIENT_IDS: variable(
      list,
      '',
      'Sign in with Apple in Caddy: identifiers there, separated by commas. The first is your Services ID, whose return URL is `PUBLIC_URL/api/caddy/auth/apple/callback`; more are bundle IDs of apps. Apple takes only `https://` and no `localhost`',
      { example: 'com.example.caddy' },
    ),
  },
  (read): { clientIds: readonly string[] } | null => {
    const clientIds = read('CADDY_APPLE_CLIENT_IDS');
    return clientIds.length ? { clientIds } : null;
  },
);

/** Apple, as a way for individuals to sign in. */
export const appleIdTokens: Adapter = {
  name: 'id-tokens-apple',
  settings: appleSettings,
  gateways: {
    idTokens: async ({ settings }) => {
      const app = appleSettings.of(settings);
      if (!app) throw new Error('CADDY_APPLE_CLIENT_IDS is not set.');
      return [(await import('./apple.ts')).appleIdTokensOf(app.clientIds)];
    },
  },
};
