import { z } from 'zod';
import { empty, endpoint, event, flag, id, instant, one } from './kit.ts';

/** A3: access 60 minutes, refresh 30 days, rotating. `expires_in` in seconds. */
export const tokens = z.object({
  access_token: z.string(),
  expires_in: z.number(),
  refresh_token: z.string(),
  token_type: z.literal('Bearer'),
});
export const personBrief = z.object({
  id,
  email: z.string(),
  name: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  timezone: z.string().nullable(),
});
const email = z.email('Enter an email address.').max(254);
const tokenExample = {
  access_token: 'tla_…',
  expires_in: 3600,
  refresh_token: 'tlr_…',
  token_type: 'Bearer',
};

export const csrfCookie = endpoint({
  name: 'csrfCookie',
  method: 'GET',
  path: '/csrf-cookie',
  summary: 'Set the XSRF-TOKEN cookie that cookie-authenticated writes must echo in X-XSRF-TOKEN',
  permission: 'public',
  company: 'none',
  answer: empty,
  status: 204,
  example: {},
});

export const login = endpoint({
  name: 'login',
  method: 'POST',
  path: '/sanctum/login',
  summary: 'Sign in with email and password',
  permission: 'public',
  company: 'none',
  limit: 'login',
  skipsSessionCheck: true,
  opensSession: true,
  body: z.object({
    email: z.string().max(254),
    password: z.string().max(1000),
    remember: flag.optional(),
    admin: flag.optional(),
  }),
  answer: z.object({ token: tokens, data: personBrief }),
  refusals: ['login.locked'],
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

export const createTokenSession = endpoint({
  name: 'createTokenSession',
  method: 'POST',
  path: '/sanctum/createTokenSession',
  summary: 'Get a token for a device of the signed-in person, or a new pair for a refresh token',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
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

export const listTokenSessions = endpoint({
  name: 'listTokenSessions',
  method: 'GET',
  path: '/sanctum/tokenSessions',
  summary: 'List the signed-in person’s sessions',
  permission: 'session',
  company: 'none',
  answer: z.object({
    data: z.array(
      z.object({
        id,
        kind: z.enum(['browser', 'device']),
        device_name: z.string().nullable(),
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

export const clearTokenSessions = endpoint({
  name: 'clearTokenSessions',
  method: 'POST',
  path: '/sanctum/clearTokenSessions',
  summary: 'Sign out everywhere else',
  permission: 'session',
  company: 'none',
  answer: z.object({ data: z.object({ ended: z.number() }) }),
  example: { answer: { data: { ended: 2 } } },
});

export const logout = endpoint({
  name: 'logout',
  method: 'GET',
  path: '/sanctum/logout',
  summary: 'Sign out here. This GET changes state, so a cookie session must send its XSRF header',
  permission: 'session',
  company: 'none',
  skipsSessionCheck: true,
  answer: empty,
  status: 204,
  example: {},
});

export const whatsNewRead = endpoint({
  name: 'whatsNewRead',
  method: 'POST',
  path: '/user/whats_new_read',
  summary:
    'Mark the what’s-new notice as read; the response is the time as YYYY-MM-DD HH:mm:ss (UTC)',
  permission: 'session',
  company: 'none',
  answer: one(
    z.object({ read_whats_new_at: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) }),
  ),
  example: { answer: { data: { read_whats_new_at: '2026-11-21 09:15:04' } } },
});

export const forgotPassword = endpoint({
  name: 'forgotPassword',
  method: 'POST',
  path: '/password/forgot',
  summary:
    'Email a link to set a new password (60 minutes, single use). The response is the same for unknown addresses',
  permission: 'public',
  company: 'none',
  limit: 'codes',
  body: z.object({ email }),
  answer: one(z.object({ sent: z.literal(true) })),
  status: 202,
  refusals: ['mail.not_set_up'],
  example: { body: { email: 'owner@demo.test' }, answer: { data: { sent: true } } },
});

export const resetPassword = endpoint({
  name: 'resetPassword',
  method: 'POST',
  path: '/password/reset',
  summary: 'Set a new password with a link’s token; ends every session',
  permission: 'public',
  company: 'none',
  limit: 'login',
  body: z.object({
    token: z.string().min(10).max(200),
    email: email.optional(),
    password: z.string().max(1000),
    password_confirmation: z.string().max(1000).optional(),
  }),
  answer: one(z.object({ message: z.string() })),
  refusals: ['reset.expired'],
  example: {
    body: { token: 'token-from-the-mail', password: 'a long enough sentence' },
    answer: { data: { message: 'Your password was successfully changed' } },
  },
});

/** The session of this person ended; its sockets close. Heard on the person's own channel. */
export const sessionRevoked = event({
  name: 'session-revoked',
  channel: 'users',
  data: z.object({ userId: id, sessionIds: z.array(id) }),
});
export const permissionsChanged = event({
  name: 'permissions-changed',
  channel: 'users',
  data: z.object({ userId: id }),
  touches: ['getUser'],
});
