import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, empty, flag, id, instant, listQuery, one, pageOf } from '../../schemas.ts';
import { reportLimits } from './rules.ts';
import {
  reportFigures,
  reportParams,
  reportRow,
  savedReport,
  type SavedReport,
} from './schemas.ts';

const at = '2026-11-21T09:15:04.000Z';
const checksum = '5c0b8b9a0a6ad1f2f4c0f5f2a4b44a6b2f5a3de3c0b3d1e5c1f59a1f6f7f8a90';
const figures = {
  sessions: 420,
  forms: 12,
  calls: 31.5,
  first_time_callers: 20,
  answered: 28.5,
  missed: 3,
  qualified: 12,
  leads: 9.5,
  avg_duration: 184,
  value_cents: 260_000,
  call_rate: 7.5,
};
const params = {
  startDate: '2026-11-01',
  endDate: '2026-11-21',
  tz: 'America/New_York',
  groupBy: 'source' as const,
  attributionModel: 'linear' as const,
  filters: {},
  businessUnitId: null,
};

const isInOrder = (body: { startDate: string; endDate: string }) => body.startDate <= body.endDate;
const notInOrder = {
  path: ['endDate'],
  message: 'Choose an end date on or after the start date.',
};
const saved: SavedReport = {
  id: 61,
  name: 'November',
  params,
  as_of: at,
  checksum,
  created_at: at,
  created_by: 2,
  file_url: '/api/files/77?company=1&expires=1795252504&signature=abc',
};

const shares = z.number().meta({ description: 'Basis points; all of them sum to 10,000' });

export const reportSources = operation({
  lane: 'reports',
  reads: true,
  summary: `Incoming calls to tracking numbers by what made them ring, in one company or those of an organization. Up to ${reportLimits.days} days and ${reportLimits.calls} calls`,
  body: reportParams
    .extend({
      journeys: flag.default(false).meta({
        description: 'Also each source’s part by Markov and Shapley, over all visitors',
      }),
      ...companyIn,
    })
    .refine(isInOrder, notInOrder),
  answer: z.object({
    data: z.object({
      rows: z.array(reportRow),
      totals: reportFigures,
      companies: z
        .array(z.object({ id, name: z.string() }))
        .meta({ description: 'Whose calls were counted' }),
      journeys: z
        .array(z.object({ key: z.string(), label: z.string(), markov: shares, shapley: shares }))
        .nullable(),
    }),
    meta: z.object({
      ...reportParams.shape,
      as_of: instant,
      checksum: z.string().meta({ description: 'SHA-256 of the report as CSV' }),
      csv: z.string().meta({ description: 'The report as CSV' }),
    }),
  }),
  example: {
    body: { company_id: 1, ...params },
    answer: {
      data: {
        rows: [{ key: 'google_ads', label: 'Google Ads', ...figures }],
        totals: figures,
        companies: [{ id: 1, name: 'Harbor Dental' }],
        journeys: null,
      },
      meta: { ...params, as_of: at, checksum, csv: 'key,label,sessions\r\n' },
    },
  },
});

export const saveSourceReport = operation({
  lane: 'reports',
  summary: 'Run a report on calls to tracking numbers and keep it under a name, with its file',
  status: 201,
  body: reportParams
    .extend({
      name: z.string().trim().min(1, 'Enter a name.').max(80, 'At most 80 characters.'),
      ...companyIn,
    })
    .refine(isInOrder, notInOrder),
  answer: one(savedReport),
  example: { body: { company_id: 1, name: 'November', ...params }, answer: { data: saved } },
});

export const deleteSourceReport = operation({
  summary:
    'Delete a run that was kept, with its file: your own, or anyone’s for those who set up tracking',
  status: 204,
  params: z.object({ reportId: id }),
  object: { table: 'source_report', param: 'reportId' },
  answer: empty,
  example: { params: { reportId: 61 } },
});

export const listSourceReports = operation({
  paged: true,
  summary: 'List the runs of reports that were kept, the newest first, each with its file',
  query: listQuery({}, { perPage: 25 }),
  answer: pageOf(savedReport),
  example: {
    query: { company_id: 1 },
    answer: {
      data: [saved],
    },
  },
});
