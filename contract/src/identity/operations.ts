import { emailAddress, tidyEmail } from '../email-address.ts';
import { z } from 'zod';
import { operation } from '../operation.ts';
import { empty, flag, id, instant, one } from '../schemas.ts';
import { tokens } from './schemas.ts';
import { mfaRequired, signedIn } from './mfa/schemas.ts';

const email = emailAddress;

const tokenExample = {
  access_token: 'tla_…',
  expires_in: 3600,
  refresh_token: 'tlr_…',
  token_type: 'Bearer',
};

export const csrfCookie = operation({
  summary: 'Set the XSRF-TOKEN cookie that cookie-authenticated writes must echo in X-XSRF-TOKEN',
  answer: empty,
  status: 204,
  example: {},
});

export const login = operation({
  summary:
    'Sign in with email and password. A person with a second factor gets an `mfa_token` for POST /sanctum/mfa instead of a token',
  limit: 'login',
  opensSession: true,
  body: z.object({
    email: z.string().max(254).overwrite(tidyEmail),
    password: z.string().max(1000),
    remember: flag.optional(),
    admin: flag.optional(),
  }),
  answer: z.union([signedIn, mfaRequired]),
  errors: ['login.locked', 'sso.required'],
  example: {
    body: { email: 'owner@demo.test', password: 'trunkline-demo' },
    answer: {
      token: tokenExample,
      data: {
        id: 1,
        email: 'owner@demo.test',
        name: 'Olive Owner',
        first_name: 'Olive',
        last_name: 'Owner',
        timezone: null,
      },
    },
  },
});

export const setUpInstallation = operation({
  summary:
    'Create the first account of platform staff, with the one-time code of the setup link that the server’s log shows. Platform staff need a second factor and admin mode to open platform administration',
  limit: 'login',
  opensSession: true,
  body: z.object({
    code: z.string().min(1).max(200),
    email,
    password: z.string().max(1000),
    first_name: z.string().trim().min(1, 'Enter your name.').max(80),
    last_name: z.string().trim().max(80).optional(),
  }),
  answer: signedIn,
  status: 201,
  errors: ['setup.link_used', 'email.taken'],
  example: {
    body: {
      code: 'setup_example-of-a-code',
      email: 'operator@example.com',
      password: 'a long enough sentence',
      first_name: 'Ola',
      last_name: 'Operator',
    },
    answer: {
      token: tokenExample,
      data: {
        id: 1,
        email: 'operator@example.com',
        name: 'Ola Operator',
        first_name: 'Ola',
        last_name: 'Operator',
        timezone: null,
      },
    },
  },
});

export const createTokenSession = operation({
  summary: 'Get a token for a device of the signed-in person, or a new pair for a refresh token',
  opensSession: true,
  body: z.object({
    device_name: z.string().min(1).max(100).optional(),
    refresh_token: z.string().max(200).optional(),
  }),
  answer: z.object({ token: tokens, data: z.object({ id, device_name: z.string().nullable() }) }),
  example: {
    body: { device_name: 'app-7F3A' },
    answer: { token: tokenExample, data: { id: 1, device_name: 'app-7F3A' } },
  },
});

export const listTokenSessions = operation({
  summary: 'List the signed-in person’s sessions',
  answer: z.object({
    data: z.array(
      z.object({
        id,
        kind: z.enum(['browser', 'device']),
        device_name: z.string().nullable(),
        device: z.string().meta({ description: '“Chrome on Windows”, from the user agent' }),
        ip: z.string().nullable(),
        user_agent: z.string().nullable(),
        current: z.boolean(),
        created_at: instant,
        last_seen_at: instant,
      }),
    ),
  }),
  example: { answer: { data: [] } },
});

export const endTokenSession = operation({
  summary: 'End one of the signed-in person’s sessions: it is signed out within a second',
  params: z.object({ id }),
  answer: empty,
  status: 204,
  example: { params: { id: 71 } },
});

export const clearTokenSessions = operation({
  summary: 'Sign out everywhere else',
  answer: z.object({ data: z.object({ ended: z.number() }) }),
  example: { answer: { data: { ended: 2 } } },
});

export const logout = operation({
  summary: 'Sign out here. This GET changes state, so a cookie session must send its XSRF header',
  answer: empty,
  status: 204,
  example: {},
});

export const whatsNewRead = operation({
  summary:
    'Mark the what’s-new notice as read; the response is the time as YYYY-MM-DD HH:mm:ss (UTC)',
  answer: one(
    z.object({ read_whats_new_at: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) }),
  ),
  example: { answer: { data: { read_whats_new_at: '2026-11-21 09:15:04' } } },
});

export const getBeamToken = operation({
  summary:
    'Get a token that registers and removes push devices of the signed-in person, and opens nothing else. It ends after ten minutes, and with the session',
  query: z.object({
    user_id: id
      .optional()
      .meta({ description: 'The person that a push client expects; `not_found` for another one' }),
  }),
  answer: z.object({ token: z.string(), user_id: id, expires_at: instant }),
  example: {
    answer: {
      token: 'tlb_eyJ1IjoxfQ.c2ln',
      user_id: 1,
      expires_at: '2026-11-25T09:10:00.000Z',
    },
  },
});

export const forgotPassword = operation({
  summary:
    'Email a link to set a new password (60 minutes, single use). The response is the same for unknown addresses',
  limit: 'codes',
  body: z.object({ email }),
  answer: one(z.object({ sent: z.literal(true) })),
  status: 202,
  errors: ['mail.not_set_up'],
  example: { body: { email: 'owner@demo.test' }, answer: { data: { sent: true } } },
});

export const resetPassword = operation({
  summary: 'Set a new password with a link’s token; ends every session',
  limit: 'login',
  body: z.object({
    token: z.string().min(10).max(200),
    email: email.optional(),
    password: z.string().max(1000),
    password_confirmation: z.string().max(1000).optional(),
  }),
  answer: one(z.object({ message: z.string() })),
  errors: ['reset.expired', 'sso.required'],
  example: {
    body: { token: 'token-from-the-mail', password: 'a long enough sentence' },
    answer: { data: { message: 'Your password was successfully changed' } },
  },
});
