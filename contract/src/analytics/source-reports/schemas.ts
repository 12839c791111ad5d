import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { attributionModels } from '../../tracking/pool-rules.ts';
import { reportGroups } from './rules.ts';

const words = z
  .array(z.string().trim().min(1).max(500, 'At most 500 characters.'))
  .max(100, 'At most 100.')
  .optional();
const ids = z.array(id).max(250, 'At most 250.').optional();

/** What a report is limited to; what is left out doesn’t limit it. */
const reportFilters = z.object({
  sources: words.meta({ description: 'Keys of sources' }),
  mediums: words,
  campaigns: words,
  poolIds: ids,
  numberIds: ids,
  devices: z
    .array(z.enum(['desktop', 'mobile', 'tablet']))
    .max(3)
    .optional(),
});

const day = z.iso.date('Enter a day, such as 2026-11-21.');
/** What was asked for, as it is stored with a saved run. */
export const reportParams = z.object({
  startDate: day,
  endDate: day,
  tz: z.string().max(60).default('UTC'),
  groupBy: z.enum(reportGroups).default('source'),
  attributionModel: z
    .enum(attributionModels)
    .nullable()
    .default(null)
    .meta({ description: 'null: for each call the model of its pool' }),
  filters: reportFilters.default({}),
  businessUnitId: id.nullable().default(null).meta({
    description:
      'An organization: those of its companies whose figures you can see, together. null: the one company',
  }),
});
export type ReportParams = z.infer<typeof reportParams>;

const credited = z.number().meta({
  description: 'The sum of credit for such calls, with one decimal',
});
export const reportFigures = z.object({
  sessions: z.number().meta({ description: 'Visits that began in the period' }),
  forms: z.number().meta({ description: 'Forms that visitors of these visits sent' }),
  calls: credited,
  first_time_callers: credited,
  answered: credited,
  missed: credited,
  qualified: credited,
  leads: credited,
  avg_duration: z.number().meta({ description: 'Talk seconds of answered calls' }),
  value_cents: z.number(),
  call_rate: z.number().nullable().meta({
    description: 'Calls of a hundred visits; null without visits',
  }),
});
export type ReportFigures = z.infer<typeof reportFigures>;

export const reportRow = z.object({ key: z.string(), label: z.string(), ...reportFigures.shape });
export type ReportRow = z.infer<typeof reportRow>;

export const savedReport = z.object({
  id,
  name: z.string(),
  params: reportParams,
  as_of: instant,
  checksum: z.string(),
  created_at: instant,
  created_by: id.nullable(),
  file_url: z.string().nullable().meta({ description: 'The CSV; the address works 15 minutes' }),
});
export type SavedReport = z.infer<typeof savedReport>;
