import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, empty, flag, id, one } from '../../schemas.ts';
import { favoriteLimits } from './rules.ts';
import {
  favoriteReport,
  favoriteValue,
  scheduleIn,
  type FavoriteReport,
  type ReportSchedule,
} from './schemas.ts';

const at = '2026-11-21T09:15:04.000Z';
const example: FavoriteReport = {
  id: 91,
  name: 'Sales calls by source',
  value:
    '{"path":"/analytics/calls","filters":{"group":"source","department":"sales"},"columns":[]}',
  shared: false,
  schedule: null,
  user: { id: 5, name: 'Una User' },
  mine: true,
  created_at: at,
  updated_at: at,
};

const weekly: ReportSchedule = {
  frequency: 'weekly',
  hour: 8,
  recipients: ['olive@harbor-dental.test'],
  attach: 'csv',
};

/** JSON text, as it is stored, or what it says. */
const valueIn = z.preprocess(
  (value, context) => {
    if (typeof value !== 'string') return value;
    try {
      return value.length > favoriteLimits.value ? value : JSON.parse(value);
    } catch {
      context.addIssue({ code: 'custom', message: 'Enter JSON text.', input: value });
      return z.NEVER;
    }
  },
  favoriteValue.refine(
    (value) => JSON.stringify(value).length <= favoriteLimits.value,
    `At most ${favoriteLimits.value} characters.`,
  ),
);

const favoriteIn = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(favoriteLimits.name, `At most ${favoriteLimits.name} characters.`),
  value: valueIn,
  shared: flag.meta({ description: 'Everyone in the company sees it' }),
  schedule: scheduleIn
    .nullable()
    .meta({ description: 'Null: it isn’t emailed. Needs exports.make, and a report of calls' }),
  ...companyIn,
});

export const listFavoriteReports = operation({
  summary: 'List your favorites and those teammates share',
  query: z.object({ ...companyIn }),
  answer: z.object({ data: z.array(favoriteReport) }),
  example: { query: { company_id: 1 }, answer: { data: [{ ...example, schedule: weekly }] } },
});

export const createFavoriteReport = operation({
  summary: 'Add a search or report to your favorites',
  status: 201,
  body: favoriteIn.partial({ shared: true, schedule: true }),
  answer: one(favoriteReport),
  errors: ['favorite.exists', 'favorite.too_many', 'role.forbidden', 'mail.not_set_up'],
  example: {
    body: {
      company_id: 1,
      name: 'Sales calls by source',
      value: { path: '/analytics/calls', filters: { group: 'source', department: 'sales' } },
    },
    answer: { data: example },
  },
});

const object = { table: 'favorite_report', param: 'id' };

export const updateFavoriteReport = operation({
  summary: 'Rename one of your favorites, share it, or change what it opens',
  object,
  params: z.object({ id }),
  body: favoriteIn.partial(),
  answer: one(favoriteReport),
  errors: ['favorite.exists', 'favorite.not_yours', 'role.forbidden', 'mail.not_set_up'],
  example: {
    params: { id: 91 },
    body: { name: 'Calls of sales', shared: true },
    answer: { data: { ...example, name: 'Calls of sales', shared: true } },
  },
});

export const deleteFavoriteReport = operation({
  summary: 'Remove one of your favorites',
  object,
  status: 204,
  params: z.object({ id }),
  query: z.object({ ...companyIn }),
  answer: empty,
  errors: ['favorite.not_yours'],
  example: { params: { id: 91 } },
});

export const stopReportMails = operation({
  summary: 'Stop a report’s emails to the one address that the link was sent to',
  limit: 'login',
  errors: ['report_mails.stopped'],
  body: z.object({ token: z.string().min(1).max(200) }),
  answer: one(z.object({ company: z.string(), name: z.string(), email: z.string() })),
  example: {
    body: { token: '1-91-sig' },
    answer: {
      data: { company: 'Harbor Dental', name: 'Sales calls by source', email: 'o…@harbor.test' },
    },
  },
});
