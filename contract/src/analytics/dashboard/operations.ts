import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, flag } from '../../schemas.ts';
import { callFilters, countedCompanies, uniqueAsked } from '../call-analytics/schemas.ts';
import { comparisons, dashboardGroups, dashboardTypes } from './rules.ts';

const day = z.iso.date('Enter a day, such as 2026-11-21.');
const values = z.record(z.string(), z.number().nullable());
const row = z.object({ key: z.string(), label: z.string(), values });

export const getDashboard = operation({
  lane: 'reports',
  reads: true,
  summary:
    'Figures for a dashboard: calls, messages, voicemails and faxes by a group, or calls by number, source, person, outcome, campaign, or weekday and hour. Each type is a question to the counting of GET /analytics/calls',
  // Strict: a filter that is ignored would make every figure wrong.
  body: z.strictObject({
    type: z.enum(dashboardTypes, `Choose one of ${dashboardTypes.join(', ')}.`),
    groupBy: z
      .enum(dashboardGroups, `Group by one of ${dashboardGroups.join(', ')}.`)
      .optional()
      .meta({ description: '`day`, when left out; other types than these four have their own' }),
    start: day.optional().meta({ description: '30 days back, when left out' }),
    end: day.optional().meta({ description: 'Today, when left out' }),
    tz: z.string().max(60).default('UTC'),
    compare: z.enum(comparisons, `Compare with one of ${comparisons.join(', ')}.`).optional(),
    sameTime: flag.optional().meta({
      description:
        'When the days end today, the compared ones end at the same time of day, so that both ran for as long',
    }),
    filters: z
      .strictObject({
        ...callFilters,
        // Without the default of calls, which would hide what went out of texts.
        direction: z.enum(['inbound', 'outbound', 'all']).optional().meta({
          description:
            'When left out, `inbound` of calls, and `all` of texts, voicemails and faxes',
        }),
        from_campaign: flag.optional().meta({
          description: 'Of texts: only those of campaigns, or with `false` only the others',
        }),
      })
      .partial()
      .default({})
      .meta({
        description:
          'Of texts, voicemails and faxes only direction, numbers, companies, organizations and people, and of texts `from_campaign`',
      }),
    unique: uniqueAsked,
    strict: flag.optional(),
    ...companyIn,
  }),
  answer: z.object({
    data: z.array(row),
    totals: values,
    previous: z
      .object({
        start: z.string(),
        end: z.string(),
        data: z.array(row),
        totals: values,
        change: z.record(
          z.string(),
          z.object({
            abs: z.number(),
            pct: z.number().nullable().meta({ description: 'null: it was 0' }),
          }),
        ),
      })
      .nullable()
      .meta({ description: 'The compared period; null without `compare`' }),
    meta: z.looseObject({
      as_of: z.string(),
      tz: z.string(),
      cached_until: z.string().meta({
        description: 'Until then a client can keep it, if no event invalidates it',
      }),
      row_count: z.number(),
      filter_hash: z.string(),
      checksum: z.string().nullable().meta({ description: 'Null with `unique=false`' }),
      companies: countedCompanies,
    }),
  }),
  example: {
    body: {
      company_id: 1,
      type: 'messages',
      groupBy: 'number',
      start: '2026-11-01',
      end: '2026-11-02',
      tz: 'America/New_York',
      compare: 'previous',
    },
    answer: {
      data: [{ key: '12', label: 'Front desk', values: { total: 9, inbound: 6, outbound: 3 } }],
      totals: { total: 9, inbound: 6, outbound: 3 },
      previous: {
        start: '2026-10-30',
        end: '2026-10-31',
        data: [{ key: '12', label: 'Front desk', values: { total: 6, inbound: 4, outbound: 2 } }],
        totals: { total: 6, inbound: 4, outbound: 2 },
        change: {
          total: { abs: 3, pct: 50 },
          inbound: { abs: 2, pct: 50 },
          outbound: { abs: 1, pct: 50 },
        },
      },
      meta: {
        as_of: '2026-11-26T17:00:00.000Z',
        tz: 'America/New_York',
        cached_until: '2026-11-26T17:00:15.000Z',
        row_count: 9,
        filter_hash: '5f0c2ac8f2d8f6a0f0c2e2d64d1d6f6f1f4d7f2f7e0d6f2f7e0d6f2f7e0d6f2f',
        checksum: 'b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184',
        companies: null,
      },
    },
  },
});
