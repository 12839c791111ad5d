import { z } from 'zod';
import { inboxItem, inboxItemExample } from './conversations.ts';
import { companyIn, endpoint, flag, id, one } from './kit.ts';

/** Figures over calls (decisions A9.4) and what waits for an answer. Module: analytics. */

const day = z.iso.date('Enter a day, such as 2026-11-21.');
const range = z
  .object({ start: day, end: day })
  .refine((r) => r.start <= r.end, {
    path: ['end'],
    message: 'Choose an end date on or after the start date.',
  })
  .meta({ description: 'Days in the time zone, both included' });
/** Calls that came in. Seconds are averages over answered calls, `answer_rate` is answered per hundred that were not blocked. */
const figures = {
  total: z.number(),
  answered: z.number(),
  missed: z.number(),
  voicemail: z.number(),
  blocked: z.number(),
  unique_callers: z.number(),
  first_time: z.number().meta({ description: 'From people who had never been in contact before' }),
  avg_duration: z.number().meta({ description: 'Talk time in seconds' }),
  total_minutes: z.number(),
  answer_rate: z.number(),
  avg_ring: z.number().meta({ description: 'Seconds until the call was answered' }),
  qualified: z.number(),
  leads: z.number(),
  messages: z.number().meta({ description: 'Texts in both directions' }),
};
const period = z.object(figures);
export type PeriodFigures = z.infer<typeof period>;
const change = z.object({
  abs: z.number(),
  pct: z.number().nullable().meta({
    description: 'Change in percent against the previous period; null when that was zero',
  }),
});

/** One bar of the home page's drawings. */
const seriesPoint = z.object({
  at: z.string().meta({ description: 'A day, or an hour of it: 2026-11-21, 2026-11-21T09:00' }),
  total: z.number(),
  answer_rate: z.number().nullable().meta({ description: 'null where no call could be answered' }),
  missed: z.number(),
  first_time: z.number(),
  messages: z.number(),
});
export type SeriesPoint = z.infer<typeof seriesPoint>;

const now: PeriodFigures = {
  total: 120,
  answered: 90,
  missed: 14,
  voicemail: 12,
  blocked: 4,
  unique_callers: 86,
  first_time: 31,
  avg_duration: 142,
  total_minutes: 213,
  answer_rate: 77.6,
  avg_ring: 9,
  qualified: 22,
  leads: 11,
  messages: 340,
};
const before: PeriodFigures = { ...now, total: 100, leads: 0 };
export const changeOf = (
  current: PeriodFigures,
  previous: PeriodFigures,
): Record<keyof PeriodFigures, { abs: number; pct: number | null }> =>
  Object.fromEntries(
    (Object.keys(current) as (keyof PeriodFigures)[]).map((key) => {
      const abs = Math.round((current[key] - previous[key]) * 10) / 10;
      return [
        key,
        { abs, pct: previous[key] === 0 ? null : Math.round((1000 * abs) / previous[key]) / 10 },
      ];
    }),
  ) as Record<keyof PeriodFigures, { abs: number; pct: number | null }>;

export const callKpi = endpoint({
  name: 'callKpi',
  method: 'POST',
  reads: true,
  path: '/companies/{companyId}/calls/kpi',
  summary: 'Get incoming call figures for a period, and the change against another period',
  permission: 'analytics.view',
  company: 'path',
  status: 200,
  params: z.object({ companyId: id }),
  body: z.object({
    currentRange: range,
    previousRange: range
      .optional()
      .meta({ description: 'The same number of days just before, when left out' }),
    tz: z.string().max(60).default('UTC'),
    sameTime: flag.optional().meta({
      description:
        'Cut the last day of the compared period at the time it is now, while the current period still runs',
    }),
    ...companyIn,
  }),
  answer: one(
    z.object({
      current: period,
      previous: period,
      change: z.object(
        Object.fromEntries(Object.keys(figures).map((key) => [key, change])) as Record<
          keyof typeof figures,
          typeof change
        >,
      ),
      series: z.array(seriesPoint).meta({
        description:
          'The current period day by day, or hour by hour when it is one day; up to the current one',
      }),
    }),
  ),
  example: {
    params: { companyId: 1 },
    body: {
      currentRange: { start: '2026-11-01', end: '2026-11-02' },
      previousRange: { start: '2026-10-30', end: '2026-10-31' },
      tz: 'America/New_York',
    },
    answer: {
      data: {
        current: now,
        previous: before,
        change: changeOf(now, before),
        series: [
          {
            at: '2026-11-01',
            total: 2,
            answer_rate: 50,
            missed: 1,
            first_time: 1,
            messages: 4,
          },
          {
            at: '2026-11-02',
            total: 118,
            answer_rate: 78.1,
            missed: 13,
            first_time: 30,
            messages: 336,
          },
        ],
      },
    },
  },
});

/** How many at most are counted; beyond it `total_is_capped` is true. */
const waitingCount = z.object({ total: z.number(), total_is_capped: z.boolean() });
export type WaitingCount = z.infer<typeof waitingCount>;
export const getWaiting = endpoint({
  name: 'getWaiting',
  method: 'GET',
  path: '/analytics/waiting',
  summary:
    'What waits for an answer: unread conversations, missed calls not called back, unheard voicemails, and the longest wait. null where the role cannot see them',
  permission: 'analytics.view',
  company: 'given',
  query: z.object({ ...companyIn }),
  answer: one(
    z.object({
      unread: waitingCount
        .nullable()
        .meta({ description: 'Open conversations with something unread' }),
      missed: waitingCount.nullable().meta({
        description:
          'Calls missed in the last 14 days that no one has called or texted back since (activity filter callback_due)',
      }),
      voicemails: waitingCount.nullable().meta({ description: 'Voicemails not listened to yet' }),
      longest_wait: inboxItem
        .nullable()
        .meta({ description: 'The oldest item of those three; it waits since createdAt' }),
    }),
  ),
  example: {
    query: { company_id: 1 },
    answer: {
      data: {
        unread: { total: 7, total_is_capped: false },
        missed: { total: 3, total_is_capped: false },
        voicemails: { total: 2, total_is_capped: false },
        longest_wait: inboxItemExample,
      },
    },
  },
});
