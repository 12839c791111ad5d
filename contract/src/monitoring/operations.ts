import { z } from 'zod';
import { operation } from '../operation.ts';
import { companyIn, id, listQuery, one, pageOf } from '../schemas.ts';
import { alertKindNames, alertSeverities, alertStates, dismissReasons } from './rules.ts';
import { alert, alertChange, alertWithSamples } from './schemas.ts';

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
  answer: one(alertWithSamples),
  example: {
    params: { id: 81 },
    answer: {
      data: {
        ...example,
        samples: [
          { at: '2026-11-21T14:15:04.000Z', value: 44 },
          { at: '2026-11-21T15:15:04.000Z', value: 56 },
        ],
      },
    },
  },
});

const change = {
  ...companyIn,
  state: z.enum(['acknowledged', 'resolved', 'dismissed', 'open']).optional(),
  reason: z.enum(dismissReasons).optional(),
  comment: z.string().trim().max(1000, 'At most 1,000 characters.').optional(),
};
/** A dismissal has a reason, another reason a comment, and a change changes something. */
const isWhole = (body: z.infer<z.ZodObject<typeof change>>, issue: z.core.$RefinementCtx): void => {
  const message = (path: string, text: string): void =>
    issue.addIssue({ code: 'custom', path: [path], message: text });
  if (body.state === 'dismissed' && !body.reason) message('reason', 'Choose a reason.');
  if (body.state === 'dismissed' && body.reason === 'other' && !body.comment)
    message('comment', 'Say why in a few words.');
  if (body.state === undefined && !body.comment)
    message('state', 'Choose a state, or write a comment.');
};

export const updateAlert = operation({
  summary: 'Acknowledge, resolve or dismiss an alert, or comment on it',
  object,
  params: z.object({ id }),
  body: z.object(change).superRefine(isWhole),
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

export const updateAlerts = operation({
  summary: 'Acknowledge, resolve or dismiss several alerts of a company, or comment on them',
  body: z
    .object({
      ...change,
      ids: z.array(id).min(1, 'Choose at least one alert.').max(100, 'At most 100 alerts at once.'),
    })
    .superRefine(isWhole),
  answer: one(
    z.object({
      updated: z.array(id),
      closed: z.array(id).meta({ description: 'Were resolved or dismissed before' }),
    }),
  ),
  example: {
    body: { company_id: 1, ids: [81, 82], state: 'dismissed', reason: 'already-aware' },
    answer: { data: { updated: [81, 82], closed: [] } },
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

const digest = z.object({ on: z.boolean() });

export const getAlertDigest = operation({
  summary: 'Get whether you get the daily summary of an organization’s alerts',
  params: z.object({ id }),
  answer: one(
    z.object({
      on: z.boolean().nullable().meta({
        description:
          'An email each morning, when there are new alerts; null: you aren’t an administrator of it, so there is none',
      }),
    }),
  ),
  example: { params: { id: 1 }, answer: { data: { on: true } } },
});

export const updateAlertDigest = operation({
  summary: 'Turn your daily summary of an organization’s alerts on or off',
  params: z.object({ id }),
  body: digest,
  answer: one(digest),
  example: { params: { id: 1 }, body: { on: false }, answer: { data: { on: false } } },
});
