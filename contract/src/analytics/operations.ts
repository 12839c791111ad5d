import { z } from 'zod';
import { inboxItemExample } from '../conversations/examples.ts';
import { inboxItem } from '../conversations/schemas.ts';
import { operation } from '../operation.ts';
import { companyIn, flag, id, one } from '../schemas.ts';
import { changeOf } from './rules.ts';
import { figures, period, type PeriodFigures, seriesPoint, waitingCount } from './schemas.ts';

/** Call figures (decisions A9.4) and what waits for an answer. */

const day = z.iso.date('Enter a day, such as 2026-11-21.');

const range = z
  .object({ start: day, end: day })
  .refine((r) => r.start <= r.end, {
    path: ['end'],
    message: 'Choose an end date on or after the start date.',
  })
  .meta({ description: 'Days in the time zone, both included' });

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

export const callKpi = operation({
  lane: 'figures',
  reads: true,
  summary: 'Get incoming call figures for a period, and the change against another period',
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

export const getWaiting = operation({
  summary:
    'What waits for an answer: unread conversations, missed calls not called back, unheard voicemails, and the longest wait. null where the role cannot see them',
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
      opt_outs: waitingCount.nullable().meta({
        description:
          'Conversations with a text that may be an opt-out. null when there are none, too',
      }),
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
        opt_outs: null,
        longest_wait: inboxItemExample,
      },
    },
  },
});
