import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, flag } from '../../schemas.ts';
import { callGroups, callReportColumns, callTargets, timeGroups } from './rules.ts';
import {
  callFigures,
  callFilters,
  callReportMeta,
  callReportRow,
  uniqueAsked,
  type CallFigures,
} from './schemas.ts';

const day = z.iso.date('Enter a day, such as 2026-11-21.');

const figures: CallFigures = {
  calls: 12,
  answered: 9,
  missed: 2,
  voicemail: 1,
  blocked: 0,
  answer_rate: 75,
  unique: 10,
  first_time: 4,
  duration: 1260,
  avg_duration: 140,
  avg_ring: 8,
  qualified: 3,
  leads: 2,
  value: 45_000,
};

export const analyzeCalls = operation({
  lane: 'reports',
  errors: ['role.forbidden', 'rate.limited', 'export.too_large'],
  summary:
    'Count calls of a period by a group: figures of each row and of all. A filter or group that doesn’t exist is refused. `format=csv` makes a file of all rows as a job, with `columns`, and `format=pdf` a document of the figures, against as many days before, a chart and the first 500 rows; poll `meta.batchId` at GET /exports/progress/{batchId}. Needs exports.make',
  // Strict: a filter that is ignored would make every figure wrong.
  query: z.strictObject({
    start: day.optional().meta({ description: '30 days back, when left out' }),
    end: day.optional().meta({ description: 'Today, when left out' }),
    tz: z.string().max(60).default('UTC'),
    group: z.enum(callGroups, `Group by one of ${callGroups.join(', ')}.`).default('day'),
    series: z
      .enum(timeGroups, `Series can be by ${timeGroups.join(', ')}.`)
      .optional()
      .meta({ description: 'The target of each row in time' }),
    target: z.enum(callTargets, `The target is one of ${callTargets.join(', ')}.`).default('calls'),
    ...callFilters,
    unique: uniqueAsked,
    format: z.enum(['json', 'csv', 'pdf']).default('json'),
    title: z
      .string()
      .trim()
      .min(1, 'Enter a title.')
      .max(80, 'At most 80 characters.')
      .optional()
      .meta({ description: 'Of a PDF' }),
    async: flag.optional().meta({ description: 'Files are always made as a job' }),
    columns: z
      .preprocess(
        (v) => (typeof v === 'string' ? v.split(',').filter(Boolean) : v),
        z
          .array(z.enum(callReportColumns, 'This column doesn’t exist.'))
          .min(1, 'Choose at least one column.')
          .max(60),
      )
      .optional(),
    strict: flag.optional(),
    ...companyIn,
  }),
  answer: z.object({
    data: z.array(callReportRow),
    totals: callFigures,
    meta: callReportMeta,
  }),
  example: {
    query: {
      company_id: 1,
      start: '2026-11-01',
      end: '2026-11-02',
      tz: 'America/New_York',
      group: 'source',
      target: 'calls',
      answer_status: ['answered', 'missed', 'voicemail'],
    },
    answer: {
      data: [{ key: 'google_ads', label: 'Google Ads', value: 12, figures }],
      totals: figures,
      meta: {
        as_of: '2026-11-26T17:00:00.000Z',
        tz: 'America/New_York',
        row_count: 12,
        filter_hash: '5f0c2ac8f2d8f6a0f0c2e2d64d1d6f6f1f4d7f2f7e0d6f2f7e0d6f2f7e0d6f2f',
        checksum: 'b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184',
        companies: null,
      },
    },
  },
});
