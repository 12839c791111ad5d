import { z } from 'zod';
import { companyIn, endpoint, id, one } from './kit.ts';

/** Figures over calls (decisions A9.4). Module: analytics. */

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
    }),
  ),
  example: {
    params: { companyId: 1 },
    body: {
      currentRange: { start: '2026-11-01', end: '2026-11-21' },
      previousRange: { start: '2026-10-11', end: '2026-10-31' },
      tz: 'America/New_York',
    },
    answer: { data: { current: now, previous: before, change: changeOf(now, before) } },
  },
});
