import { z } from 'zod';
import { emailAddress } from '../../email-address.ts';
import { operation } from '../../operation.ts';
import { one } from '../../schemas.ts';
import { identityProviders } from '../rules.ts';
import { codeSent, identityOf, signedInAccount, sixDigits } from '../schemas.ts';
import { exampleProfile } from './examples.ts';

const sentExample = {
  sent: true,
  channel: 'email',
  masked: 's•••@example.com',
  expires_in: 600,
  resend_in: 30,
};
const signedInExample = {
  accountId: 1,
  token: 'tla_…',
  refreshToken: 'tlr_…',
  plan: 'free',
  subscriptionStatus: 'not_subscribed',
  profile: exampleProfile,
};
const password = z.string().max(1000);
const provider = z.enum(identityProviders);
/** An installation code for the device, so that a shared network isn't one person. */
const exampleDevice = { id: '7F3A-11', name: 'Pixel 9', platform: 'web', appVersion: '1.0.0' };

export const caddyRegister = operation({
  summary:
    'Sign up in two steps: without a code, one is sent (202); with it, the account is opened (201). With the ID token of Google or Apple in one',
  limit: 'login',
  opensSession: true,
  body: z.object({
    ...identityOf,
    password: password.optional(),
    invite_code: z.string().max(60).optional(),
  }),
  answer: one(z.union([signedInAccount, codeSent])),
  status: 201,
  errors: [
    'caddy.exists',
    'caddy.code_wrong',
    'caddy.code_over',
    'caddy.no_texts',
    'caddy.provider_off',
    'caddy.provider_away',
    'caddy.token_refused',
    'caddy.unverified',
    'mail.not_set_up',
  ],
  example: {
    body: { provider: 'email', email: 'sam@example.com', device: exampleDevice },
    answer: { data: sentExample },
  },
});

export const caddyLogin = operation({
  summary:
    'Sign in: a code is sent (202), and a second request with it opens the session; or with the password or the ID token of Google or Apple at once. A code is sent as well when their verified email address has an account that doesn’t sign in with them yet: with it they are connected',
  limit: 'login',
  opensSession: true,
  body: z.object({ ...identityOf, password: password.optional() }),
  answer: one(z.union([signedInAccount, codeSent])),
  errors: [
    'caddy.code_wrong',
    'caddy.code_over',
    'caddy.password_wrong',
    'caddy.unknown',
    'caddy.no_texts',
    'caddy.provider_off',
    'caddy.provider_away',
    'caddy.token_refused',
    'login.locked',
    'mail.not_set_up',
  ],
  example: {
    body: { provider: 'email', email: 'sam@example.com', device: exampleDevice },
    answer: { data: signedInExample },
  },
});

export const listCaddyProviders = operation({
  summary: 'List the providers that people sign in with, besides codes and passwords',
  limit: 'login',
  answer: one(z.array(z.object({ provider, label: z.string() }))),
  example: { answer: { data: [{ provider: 'google', label: 'Google' }] } },
});

export const startCaddyProvider = operation({
  summary:
    'Start a sign-in with a provider. A browser opens `url`, and comes back to `/caddy/sign-in/return` with `id_token` and `state` behind the `#`. An app of a phone gives `nonce` to the provider’s kit',
  limit: 'login',
  params: z.object({ provider }),
  answer: one(
    z.object({
      url: z.string(),
      state: z.string().meta({ description: 'As it comes back: compare them' }),
      nonce: z.string().meta({ description: 'For the ID token. It works once' }),
      expires_in: z.number().meta({ description: 'Seconds' }),
    }),
  ),
  errors: ['caddy.provider_off'],
  example: {
    params: { provider: 'google' },
    answer: {
      data: {
        url: 'https://accounts.google.com/o/oauth2/v2/auth?client_id=…',
        state: 'tls_…',
        nonce: 'mh8.tln_…',
        expires_in: 1200,
      },
    },
  },
});

export const changeCaddyPassword = operation({
  summary:
    'Change the password, or set the first one. Every other session of the account is signed out',
  limit: 'login',
  body: z.object({ current: password.optional(), new: password }),
  answer: one(z.object({ message: z.string() })),
  errors: ['login.locked'],
  example: {
    body: { current: 'four-words-and-a-9', new: 'other-four-words-7' },
    answer: { data: { message: 'Your password has been changed.' } },
  },
});

export const sendCaddyResetCode = operation({
  summary: 'Send a code for a new password. The answer is the same for every address',
  limit: 'login',
  body: z.object({ email: emailAddress, device: identityOf.device }),
  answer: one(codeSent),
  status: 202,
  errors: ['mail.not_set_up'],
  example: { body: { email: 'sam@example.com' }, answer: { data: sentExample } },
});

export const resetCaddyPassword = operation({
  summary: 'Set a new password with the code that was sent, and sign in',
  limit: 'login',
  opensSession: true,
  body: z.object({ email: emailAddress, code: sixDigits, password, device: identityOf.device }),
  answer: one(signedInAccount),
  errors: ['caddy.code_wrong', 'caddy.code_over'],
  example: {
    body: { email: 'sam@example.com', code: '482913', password: 'other-four-words-7' },
    answer: { data: signedInExample },
  },
});
