import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';
import { signInApp, type SignInApp } from '../openid/credentials.ts';

const names = { id: 'GOOGLE_SIGN_IN_CLIENT_ID', secret: 'GOOGLE_SIGN_IN_CLIENT_SECRET' } as const;

/** Null: not set, so people can't sign in with Google. */
const googleSettings = adapterSettings(
  'sign-in-google',
  {
    GOOGLE_SIGN_IN_CLIENT_ID: variable(
      text.optional(),
      '',
      'Sign-in with Google: client ID of your web client there; its redirect URI is `PUBLIC_URL/api/oauth/google/callback`',
      { example: '…apps.googleusercontent.com' },
    ),
    GOOGLE_SIGN_IN_CLIENT_SECRET: variable(text.optional(), '', 'That client’s secret', {
      example: '…',
      secret: true,
    }),
  },
  (read, { problem }): SignInApp | null => signInApp((part) => read(names[part]), names, problem),
);

/** Google, as a way to sign in. */
export const googleSignIn: Adapter = {
  name: 'sign-in-google',
  settings: googleSettings,
  gateways: {
    signIn: async ({ settings }) => {
      const app = googleSettings.of(settings);
      if (!app) throw new Error('GOOGLE_SIGN_IN_CLIENT_ID is not set.');
      return (await import('./google.ts')).googleIdentities(app);
    },
  },
};
