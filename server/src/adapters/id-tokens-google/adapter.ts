import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { list, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';

/** Null: not set, so individuals can't sign in with Google. */
const googleSettings = adapterSettings(
  'id-tokens-google',
  {
    CADDY_GOOGLE_CLIENT_IDS: variable(
      list,
      '',
      'Sign-in with Google in Caddy: client IDs there, separated by commas. The first is of your web client, whose redirect URI is `PUBLIC_URL/api/caddy/auth/google/callback`; more are of apps for phones',
      { example: '…apps.googleusercontent.com' },
    ),
  },
  (read): { clientIds: readonly string[] } | null => {
    const clientIds = read('CADDY_GOOGLE_CLIENT_IDS');
    return clientIds.length ? { clientIds } : null;
  },
);

/** Google, as a way for individuals to sign in. */
export const googleIdTokens: Adapter = {
  name: 'id-tokens-google',
  settings: googleSettings,
  gateways: {
    idTokens: async ({ settings }) => {
      const app = googleSettings.of(settings);
      if (!app) throw new Error('CADDY_GOOGLE_CLIENT_IDS is not set.');
      return [(await import('./google.ts')).googleIdTokensOf(app.clientIds)];
    },
  },
};
