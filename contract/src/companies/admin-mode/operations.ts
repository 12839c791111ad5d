import { z } from 'zod';
import { personBrief, tokens } from '../../identity/schemas.ts';
import { operation } from '../../operation.ts';
import { empty, id, instant, one } from '../../schemas.ts';
import { ADMIN_MINUTES, REASON_LENGTH } from './rules.ts';

const entry = z.object({
  id,
  reason: z.string(),
  entered_at: instant,
  ends_at: instant,
  may_write: z.boolean(),
});
const entryExample = {
  id: 7,
  reason: 'Ticket 4711: calls don’t ring',
  entered_at: '2026-11-25T09:00:00.000Z',
  ends_at: '2026-11-25T10:00:00.000Z',
  may_write: false,
};
const reason = z
  .string()
  .trim()
  .min(REASON_LENGTH.least, 'Say why, in a few words.')
  .max(REASON_LENGTH.most, 'At most 300 characters.');

export const getAdminMode = operation({
  summary: 'Get the admin mode that this session of platform staff is in; null: none',
  answer: one(entry.nullable()),
  example: { answer: { data: entryExample } },
});

export const enterAdminMode = operation({
  summary:
    'Enter admin mode, for platform staff with a second factor who signed in for it: with a reason and an end. It only reads at first. Owners of the companies that are opened see it',
  body: z.object({
    reason,
    minutes: z.coerce
      .number<number>()
      .int()
      .min(ADMIN_MINUTES.least, 'At least 5 minutes.')
      .max(ADMIN_MINUTES.most, 'At most 8 hours.'),
  }),
  answer: one(entry),
  status: 201,
  errors: ['admin.staff_only', 'admin.factor_required'],
  example: {
    body: { reason: 'Ticket 4711: calls don’t ring', minutes: 60 },
    answer: { data: entryExample },
  },
});

export const allowAdminWrites = operation({
  summary: 'Allow changes in the admin mode that this session is in',
  answer: one(entry),
  errors: ['admin.not_entered'],
  example: { answer: { data: { ...entryExample, may_write: true } } },
});

export const leaveAdminMode = operation({
  summary: 'Leave admin mode',
  answer: empty,
  status: 204,
});

export const createRemoteLogin = operation({
  summary:
    'Make a token with which staff in admin mode act as a person in one company: it works once, within 60 seconds. What it opens ends with the admin mode, and reads only unless changes are allowed',
  body: z.object({ user_id: id, company_id: id, reason }),
  answer: one(z.object({ token: z.string(), expires_at: instant })),
  status: 201,
  errors: ['admin.not_entered'],
  example: {
    body: { user_id: 1, company_id: 1, reason: 'Ticket 4711: calls don’t ring' },
    answer: { data: { token: 'tlo_example-of-a-token', expires_at: '2026-11-25T09:01:00.000Z' } },
  },
});

export const remoteLogin = operation({
  summary:
    'Sign in with the token of `POST /admin/remote-logins`, once. The session has no cookie, can’t be refreshed or confirmed, and sees one company',
  limit: 'login',
  body: z.object({ token: z.string().min(10).max(200) }),
  answer: z.object({
    token: tokens.omit({ refresh_token: true }),
    data: personBrief.extend({ company_id: id }),
  }),
  errors: ['remote_login.expired'],
  example: {
    body: { token: 'tlo_example-of-a-token' },
    answer: {
      token: { access_token: 'tla_example', expires_in: 3600, token_type: 'Bearer' as const },
      data: {
        id: 1,
        email: 'owner@demo.test',
        name: 'Olive Owner',
        first_name: 'Olive',
        last_name: 'Owner',
        timezone: 'America/New_York',
        company_id: 1,
      },
    },
  },
});
