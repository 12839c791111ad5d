import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, empty, id, one } from '../../schemas.ts';
import { reportLink, sharedReport, type ReportLink, type SharedReport } from './schemas.ts';

const example: ReportLink = {
  id: 92,
  favorite: { id: 91, name: 'Sales calls by source' },
  user: { id: 5, name: 'Una User' },
  mine: true,
  created_at: '2026-11-21T09:15:04.000Z',
  expires_at: '2026-12-22T05:00:00.000Z',
  last_opened_at: null,
  closed: null,
};
const link = 'https://calls.example.com/shared/report#tlr_token-that-is-shown-once';

export const listReportLinks = operation({
  summary:
    'List your links that open a report without an account, newest first; of everyone for people who edit settings',
  query: z.object({ favorite_id: id.optional(), ...companyIn }),
  answer: z.object({ data: z.array(reportLink) }),
  example: { query: { company_id: 1 }, answer: { data: [example] } },
});

export const createReportLink = operation({
  summary:
    'Make a link that opens one of your favorites without an account. The response has the link, which is not shown again',
  status: 201,
  body: z.object({
    favorite_id: id,
    last_day: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/, 'Enter a date.')
      .meta({ description: 'It works until this day ends in the company’s time zone' }),
    ...companyIn,
  }),
  answer: one(reportLink.extend({ link: z.string() })),
  errors: ['favorite.not_yours', 'report_link.too_many', 'role.forbidden'],
  example: {
    body: { company_id: 1, favorite_id: 91, last_day: '2026-12-21' },
    answer: { data: { ...example, link } },
  },
});

export const withdrawReportLink = operation({
  summary: 'Withdraw a link to a report; it stops working at once',
  object: { table: 'report_link', param: 'id' },
  status: 204,
  params: z.object({ id }),
  query: z.object({ ...companyIn }),
  answer: empty,
  example: { params: { id: 92 } },
});

const figures = {
  ...{ calls: 12, answered: 9, missed: 3, voicemail: 0, blocked: 0, answer_rate: 75, unique: 11 },
  ...{ first_time: 4, duration: 1800, avg_duration: 200, avg_ring: 9, qualified: 5, leads: 4 },
  value: 0,
};
const shared: SharedReport = {
  name: 'Sales calls by source',
  company: {
    name: 'Harbor Dental',
    ...{ logo: null, logo_dark: null, primary_color: null, secondary_color: null },
  },
  range: { start: '2026-10-23', end: '2026-11-21' },
  compared: { start: '2026-09-23', end: '2026-10-22' },
  tz: 'America/New_York',
  as_of: '2026-11-21T09:15:04.000Z',
  expires_at: '2026-12-22T05:00:00.000Z',
  group: 'source',
  target: 'calls',
  filters: ['Incoming calls', 'Sales'],
  rows: [{ key: '0', label: 'Google Ads', value: 12, figures }],
  more: 0,
  totals: figures,
  before: figures,
};

export const openReportLink = operation({
  summary:
    'Open a report by its link, or by the link of its email: its figures as who made it may see them now, without contact details',
  lane: 'reports',
  limit: 'login',
  body: z.object({ token: z.string().min(10).max(200) }),
  answer: one(sharedReport),
  errors: ['report_link.closed'],
  example: { body: { token: 'tlr_token-that-is-shown-once' }, answer: { data: shared } },
});
