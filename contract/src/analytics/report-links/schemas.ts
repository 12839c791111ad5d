import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { callFigures, callReportRow } from '../call-analytics/schemas.ts';
import { callGroups, callTargets } from '../call-analytics/rules.ts';
import { closedReasons } from './rules.ts';

export const reportLink = z.object({
  id,
  favorite: z.object({ id, name: z.string() }),
  user: z.object({ id, name: z.string() }).meta({ description: 'Who made it' }),
  mine: z.boolean(),
  created_at: instant,
  expires_at: instant,
  last_opened_at: instant.nullable().meta({ description: 'Null: never' }),
  closed: z.enum(closedReasons).nullable().meta({
    description:
      'Why it doesn’t open: it has expired, who made it can no longer see reports or export, or its report covers too many days, had too many calls or companies when it was opened last, or is no longer one of calls. Null: it opens',
  }),
});
export type ReportLink = z.infer<typeof reportLink>;

const days = z.object({ start: z.string(), end: z.string() });
export const sharedReport = z.object({
  name: z.string(),
  company: z.object({
    name: z.string(),
    logo: z.string().nullable(),
    logo_dark: z.string().nullable(),
    primary_color: z.string().nullable(),
    secondary_color: z.string().nullable(),
  }),
  range: days,
  compared: days.meta({ description: 'As many days just before' }),
  tz: z.string(),
  as_of: instant,
  expires_at: instant,
  group: z.enum(callGroups),
  target: z.enum(callTargets),
  filters: z.array(z.string()).meta({ description: 'What the calls are limited to, in words' }),
  rows: z.array(callReportRow).meta({ description: 'Keys that are IDs are replaced' }),
  more: z.number().meta({ description: 'Rows that are left out' }),
  totals: callFigures,
  before: callFigures,
});
export type SharedReport = z.infer<typeof sharedReport>;
