import { z } from 'zod';
import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';
import { signInApp } from '../openid/credentials.ts';
import type { MicrosoftApp } from './microsoft.ts';

const names = {
  id: 'MICROSOFT_SIGN_IN_CLIENT_ID',
  secret: 'MICROSOFT_SIGN_IN_CLIENT_SECRET',
} as const;

/** Null: not set, so people can't sign in with Microsoft. */
const microsoftSettings = adapterSettings(
  'sign-in-microsoft',
  {
    MICROSOFT_SIGN_IN_CLIENT_ID: variable(
      text.optional(),
      '',
      'Sign-in with Microsoft: application ID of your app in Entra; its redirect URI is `PUBLIC_URL/api/oauth/microsoft/callback`. Give it the optional claims `email` and `xms_edov`: without the second, work addresses count as unverified',
      { example: '00001111-aaaa-2222-bbbb-3333cccc4444' },
    ),
    MICROSOFT_SIGN_IN_CLIENT_SECRET: variable(text.optional(), '', 'That app’s client secret', {
      example: '…',
      secret: true,
    }),
    MICROSOFT_SIGN_IN_TENANT: variable(
      z.union(
        [z.enum(['common', 'organizations', 'consumers']), z.guid().toLowerCase()],
        'must be common, organizations, consumers or the ID of a directory',
      ),
      'common',
      'Who can sign in with Microsoft: `common` (anyone), `organizations` (work and school accounts), `consumers` (personal accounts) or the ID of one directory',
    ),
  },
  (read, { problem }): MicrosoftApp | null => {
    const app = signInApp((part) => read(names[part]), names, problem);
    return app && { ...app, tenant: read('MICROSOFT_SIGN_IN_TENANT') };
  },
);

/** Microsoft, as a way to sign in. */
export const microsoftSignIn: Adapter = {
  name: 'sign-in-microsoft',
  settings: microsoftSettings,
  gateways: {
    signIn: async ({ settings }) => {
      const app = microsoftSettings.of(settings);
      if (!app) throw new Error('MICROSOFT_SIGN_IN_CLIENT_ID is not set.');
      return (await import('./microsoft.ts')).microsoftIdentities(app);
    },
  },
};
