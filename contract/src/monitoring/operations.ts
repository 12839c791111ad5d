import { z } from 'zod';
import { operation } from '../operation.ts';
import { companyIn, id, listQuery, one, pageOf } from '../schemas.ts';
import { alertKindNames, alertSeverities, alertStates, dismissReasons } from './rules.ts';
import { alert, alertChange } from './schemas.ts';

const object = { table: 'alert', param: 'id' };
const scope = {
  ...companyIn,
  accounts: z
    .preprocess(
      (v) => (typeof v === 'string' ? v.split(',').filter(Boolean) : v),
      z.array(id).max(200).optional(),
    )
    .meta({ description: 'Companies, of those where the person may see alerts; a list or commas' }),
  organization: id
    .optional()
    .meta({ description: 'All companies of an organization that the person administers' }),
};
const filters = {
  kind: z.enum(alertKindNames).optional(),
  severity: z.enum(alertSeverities).optional(),
  state: z.enum(alertStates).optional(),
  from: z.iso.datetime({ offset: true }).optional().meta({ description: 'Last seen since then' }),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: 'First seen until then' }),
};

const example = {
  id: 81,
  kind: 'missed_rate_high' as const,
  severity: 'warning' as const,
  state: 'open' as const,
  company: { id: 1, name: 'Harbor Dental' },
  organization_id: 1,
  subject: { type: 'company' as const, id: 1, label: 'Harbor Dental' },
  title: 'Many calls are missed',
  message: '9 of 16 calls today were missed.',
  metric: { name: 'missed', value: 56, threshold: 40, unit: '%', window: 'today' },
  first_seen_at: '2026-11-21T14:15:04.000Z',
  last_seen_at: '2026-11-21T16:15:04.000Z',
  occurrences: 3,
  auto_resolve: true,
  resolved_at: null,
  resolved_by: null,
  comment: null,
  reason: null,
  suggestions: [
    { text: 'See today’s missed calls', link: '/activity/calls?outcome=2&period=today' },
  ],
  created_at: '2026-11-21T14:15:04.000Z',
};

export const listAlerts = operation({
  summary: 'List alerts, open ones first, then the latest',
  paged: true,
  query: listQuery({ ...scope, ...filters }, { perPage: 10, max: 100 }),
  answer: pageOf(alert),
  example: { query: { company_id: 1, state: 'open' }, answer: { data: [example] } },
});

export const countAlerts = operation({
  summary: 'Count alerts that are open or acknowledged, by severity and kind',
  query: z.object(scope),
  answer: one(
    z.object({
      open: z.number(),
      critical: z.number(),
      warning: z.number(),
      info: z.number(),
      acknowledged: z.number(),
      byKind: z.record(z.string(), z.number()),
    }),
  ),
  example: {
    query: { company_id: 1 },
    answer: {
      data: {
        open: 1,
        critical: 0,
        warning: 1,
        info: 0,
        acknowledged: 0,
        byKind: { missed_rate_high: 1 },
      },
    },
  },
});

export const getAlert = operation({
  summary: 'Get an alert',
  object,
  params: z.object({ id }),
  query: z.object(companyIn),
  answer: one(alert),
  example: { params: { id: 81 }, answer: { data: example } },
});

export const updateAlert = operation({
  summary: 'Acknowledge, resolve or dismiss an alert, or comment on it',
  object,
  params: z.object({ id }),
  body: z
    .object({
      ...companyIn,
      state: z.enum(['acknowledged', 'resolved', 'dismissed', 'open']).optional(),
      reason: z.enum(dismissReasons).optional(),
      comment: z.string().trim().max(1000, 'At most 1,000 characters.').optional(),
    })
    .superRefine((body, issue) => {
      const message = (path: string, text: string): void =>
        issue.addIssue({ code: 'custom', path: [path], message: text });
      if (body.state === 'dismissed' && !body.reason) message('reason', 'Choose a reason.');
      if (body.state === 'dismissed' && body.reason === 'other' && !body.comment)
        message('comment', 'Say why in a few words.');
      if (body.state === undefined && !body.comment)
        message('state', 'Choose a state, or write a comment.');
    }),
  errors: ['alert.closed'],
  answer: one(alert),
  example: {
    params: { id: 81 },
    body: { state: 'acknowledged', comment: 'Una is looking at it' },
    answer: {
      data: { ...example, state: 'acknowledged', comment: 'Una is looking at it' },
    },
  },
});

export const listAlertHistory = operation({
  summary: 'List what happened to an alert, latest first',
  object,
  params: z.object({ id }),
  query: z.object(companyIn),
  answer: one(z.array(alertChange)),
  example: {
    params: { id: 81 },
    answer: {
      data: [
        {
          at: '2026-11-21T14:15:04.000Z',
          actor: null,
          from: null,
          to: 'open',
          reason: null,
          comment: null,
          metric: example.metric,
        },
      ],
    },
  },
});

const digest = z.object({
  on: z.boolean().meta({ description: 'An email each morning, when there are new alerts' }),
});

export const getAlertDigest = operation({
  summary: 'Get whether you get the daily summary of an organization’s alerts',
  params: z.object({ id }),
  answer: one(digest),
  example: { params: { id: 1 }, answer: { data: { on: true } } },
});

export const updateAlertDigest = operation({
  summary: 'Turn your daily summary of an organization’s alerts on or off',
  params: z.object({ id }),
  body: digest,
  answer: one(digest),
  example: { params: { id: 1 }, body: { on: false }, answer: { data: { on: false } } },
});
