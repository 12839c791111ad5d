import { z } from 'zod';
import { departments, outcomeTags } from '../../calls/rules.ts';
import { flag, id } from '../../schemas.ts';
import { attributionModels } from '../../tracking/pool-rules.ts';
import { answererTypes, answerStatuses, sentiments } from './rules.ts';

/** A list, or one value; in a query string also with commas. */
const listOf = <T>(item: z.ZodType<T>, most = 250) =>
  z
    .preprocess(
      (v) =>
        typeof v === 'string' ? v.split(',').filter(Boolean) : typeof v === 'number' ? [v] : v,
      z.array(item).max(most, `At most ${most}.`),
    )
    .optional();
const words = listOf(z.string().trim().min(1).max(500, 'At most 500 characters.'));
const ids = listOf(id);

/** What calls are limited to; what is left out doesn’t limit them. Of a list, any one fits. */
export const callFilters = {
  direction: z.enum(['inbound', 'outbound', 'all']).default('inbound'),
  number_ids: ids,
  company_ids: ids.meta({
    description: 'Companies in which you can see reports; without them the given one',
  }),
  business_unit_ids: ids.meta({ description: 'Organizations: all of their companies you can see' }),
  data_group_ids: ids,
  tags: ids.meta({ description: 'IDs of tags' }),
  answer_status: listOf(z.enum(answerStatuses)),
  min_duration: z.coerce
    .number<number>()
    .int()
    .min(0)
    .max(86_400)
    .optional()
    .meta({ description: 'Seconds of talk' }),
  first_contact: flag.optional(),
  answered_by: listOf(z.enum(answererTypes)),
  user_ids: ids.meta({ description: 'Who answered or placed the call' }),
  geo_states: words,
  geo_areas: listOf(z.string().regex(/^\d{3}$/, 'Enter area codes, such as 212.')),
  sources: words.meta({ description: 'Keys of traffic sources' }),
  campaigns: words,
  attribution_model: z.enum(attributionModels).optional().meta({
    description:
      'Shares each call among the visits that led to it, for sources and campaigns; without it a call belongs to the source it was matched to',
  }),
  outcomes: listOf(z.enum(outcomeTags)),
  departments: listOf(z.enum(departments)),
  qualified: flag.optional(),
  lead: flag.optional(),
  dni_pool_ids: ids,
  extension_labels: words,
  sentiments: listOf(z.enum(sentiments)),
  phrase_list_ids: ids.meta({ description: 'A phrase of any of these lists was said' }),
};
const callFilterShape = z.object(callFilters);
export type CallFilters = z.infer<typeof callFilterShape>;

/** Whether different callers are counted too. */
export const uniqueAsked = flag.optional().meta({
  description:
    'False: leaves out different callers, which are counted call by call. Without them the figures of many calls are added up beforehand: it’s faster',
});

const count = z.number().meta({
  description: 'With an attribution model the sum of credit, with one decimal',
});
/** Figures of calls; seconds of talk. */
export const callFigures = z.object({
  calls: count,
  answered: count,
  missed: count,
  voicemail: count,
  blocked: count,
  answer_rate: z.number().nullable().meta({
    description: 'Percent of the calls that weren’t blocked; null where there are none',
  }),
  unique: z.number().nullable().meta({
    description: 'Different callers; of several companies in each. Null with `unique=false`',
  }),
  first_time: count,
  duration: z.number().meta({ description: 'Seconds of talk of all calls' }),
  avg_duration: z.number().meta({ description: 'Seconds of talk of an answered call' }),
  avg_ring: z.number().meta({ description: 'Seconds until an answered call was answered' }),
  qualified: count,
  leads: count,
  value: z.number().meta({ description: 'In cents' }),
});
export type CallFigures = z.infer<typeof callFigures>;

export const callReportRow = z.object({
  key: z.string(),
  label: z.string(),
  value: z.number().nullable().meta({ description: 'The target; null: an answer rate of nothing' }),
  figures: callFigures,
  series: z.array(z.object({ key: z.string(), value: z.number().nullable() })).optional(),
});
export type CallReportRow = z.infer<typeof callReportRow>;

/** The companies that are counted for organizations. */
export const countedCompanies = z
  .array(z.object({ id, name: z.string(), is_limited: z.boolean() }))
  .nullable()
  .meta({
    description:
      'With `business_unit_ids`: the companies that are counted, by name; `is_limited`: only the numbers that you see there. Deactivated and suspended companies are left out. Null: of the given company',
  });

export const callReportMeta = z.looseObject({
  as_of: z.string(),
  tz: z.string(),
  row_count: z.number().meta({ description: 'Calls that are counted' }),
  filter_hash: z.string().meta({ description: 'The same for the same question' }),
  checksum: z.string().nullable().meta({
    description:
      'SHA-256 of the file with all rows; null for a file that is being made, and with `unique=false`',
  }),
  companies: countedCompanies,
});
