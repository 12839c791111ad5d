import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, flag, instant, one } from '../../schemas.ts';
import { mfaRequired, signedIn, signedInExample } from '../mfa/schemas.ts';
import { signInOutcomes } from './outcomes.ts';
import { providerReturn, providerVisit } from './schemas.ts';

const provider = z.string().regex(/^[a-z]{1,40}$/, 'Name a provider.');
/** Also an organization's own, as `sso-12`. */
const anyProvider = z.string().regex(/^([a-z]{1,40}|sso-\d{1,15})$/, 'Name a provider.');
const params = z.object({ provider });

const method = z.object({
  provider: anyProvider,
  label: z.string(),
  linked: z
    .object({
      email: z.string(),
      linked_at: instant,
      last_used_at: instant.nullable(),
      can_unlink: z.boolean().meta({ description: 'False: it is the only way in' }),
    })
    .nullable(),
});
const linked = {
  provider: 'google',
  label: 'Google',
  linked: {
    email: 'owner@demo.test',
    linked_at: '2026-11-21T09:15:04.000Z',
    last_used_at: null,
    can_unlink: true,
  },
};

export const listSignInProviders = operation({
  summary: 'List the providers through whom people can sign in here',
  answer: one(z.array(z.object({ provider, label: z.string() }))),
  example: { answer: { data: [{ provider: 'google', label: 'Google' }] } },
});

export const redirectToSignInProvider = operation({
  summary:
    'Begin to sign in through a provider: redirects the browser there, and sets the cookie that its return is recognized by',
  params,
  query: providerVisit,
  answer: empty,
  status: 302,
  limit: 'login',
  errors: ['sign_in.unknown_provider'],
  example: { params: { provider: 'google' }, query: { next: '/inbox' } },
});

export const returnFromSignInProvider = operation({
  summary: `Where a provider sends the person back to. Redirects to the app, with the result in \`external\`: ${signInOutcomes.join(', ')}`,
  params,
  query: providerReturn,
  answer: empty,
  status: 302,
  limit: 'login',
  errors: ['sign_in.unknown_provider'],
  example: { params: { provider: 'google' }, query: { code: '4/0Ab', state: 'tlx_…' } },
});

export const getProvenIdentity = operation({
  summary:
    'Get whom this browser has brought back from a provider, to sign up with POST /client/signup/external',
  answer: one(
    z.object({
      provider,
      label: z.string(),
      email: z.string(),
      first_name: z.string(),
      last_name: z.string(),
    }),
  ),
  limit: 'login',
  errors: ['sign_in.expired'],
  example: {
    answer: {
      data: {
        provider: 'google',
        label: 'Google',
        email: 'ann@example.com',
        first_name: 'Ann',
        last_name: 'Fox',
      },
    },
  },
});

export const signInExternally = operation({
  summary:
    'Finish signing in through a provider, in the browser that returned from it. A person with a second factor gets an `mfa_token` instead of a token',
  limit: 'login',
  opensSession: true,
  body: z.object({ remember: flag.optional(), admin: flag.optional() }),
  answer: z.union([signedIn, mfaRequired]),
  errors: ['sign_in.expired', 'sso.required'],
  example: { body: { remember: true }, answer: signedInExample },
});

export const listSignInMethods = operation({
  summary: 'List how the signed-in person can sign in',
  answer: one(
    z.object({
      has_password: z.boolean(),
      passkeys: z.number(),
      providers: z.array(method),
    }),
  ),
  example: { answer: { data: { has_password: true, passkeys: 0, providers: [linked] } } },
});

export const startLinkingSignIn = operation({
  summary:
    'Begin to link a provider to the signed-in person: get the address to open. Needs a recent confirmation',
  params,
  limit: 'login',
  answer: one(z.object({ url: z.string() })),
  errors: ['confirmation.required', 'sign_in.unknown_provider', 'sign_in.provider_away'],
  example: {
    params: { provider: 'google' },
    answer: { data: { url: 'https://accounts.google.com/o/oauth2/v2/auth?client_id=…' } },
  },
});

export const linkSignIn = operation({
  summary:
    'Link the provider that this browser has returned from. Its verified address must be the person’s. Needs a recent confirmation',
  answer: one(method),
  errors: [
    'confirmation.required',
    'sign_in.expired',
    'sign_in.other_address',
    'sign_in.linked_elsewhere',
  ],
  example: { answer: { data: linked } },
});

export const unlinkSignIn = operation({
  summary: 'Unlink a provider, unless it is the only way in. Needs a recent confirmation',
  params: z.object({ provider: anyProvider }),
  answer: empty,
  status: 204,
  errors: ['confirmation.required', 'not_found', 'sign_in.last_way', 'sso.required'],
  example: { params: { provider: 'google' } },
});
