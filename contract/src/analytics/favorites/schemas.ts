import { z } from 'zod';
import { emailAddress } from '../../email-address.ts';
import { id, instant } from '../../schemas.ts';
import { favoriteLimits, mostMailedRows, reportAttachments, reportFrequencies } from './rules.ts';

/** What a favorite opens. Only addresses of the app: a shared favorite must lead nowhere else. */
export const favoriteValue = z.object({
  path: z
    .string()
    .max(200)
    .regex(/^\/(?![/\\])[\w/-]*$/, 'Enter an address of this app, such as /analytics/calls.'),
  filters: z.record(z.string().max(80), z.unknown()).default({}),
  columns: z.array(z.string().max(80)).max(60).default([]),
});

const schedule = z.object({
  frequency: z.enum(reportFrequencies).meta({
    description:
      'Each day, on Mondays, or on the first of a month, about the day, week or month before',
  }),
  hour: z
    .int()
    .min(0)
    .max(23)
    .meta({ description: 'From this hour on, in the company’s time zone' }),
  recipients: z.array(z.string()).meta({ description: 'Email addresses' }),
  attach: z
    .enum(reportAttachments)
    .default('none')
    .meta({
      description: `The file that comes along. A CSV file has the first ${mostMailedRows} rows`,
    }),
});
export type ReportSchedule = z.infer<typeof schedule>;

/** When a report is emailed, and to whom. */
export const scheduleIn = schedule.extend({
  recipients: z
    .array(emailAddress)
    .min(1, 'Enter an email address.')
    .max(favoriteLimits.recipients, `At most ${favoriteLimits.recipients} addresses.`),
});

export const favoriteReport = z.object({
  id,
  name: z.string(),
  value: z.string().meta({
    description: 'JSON text: `path` of the screen, `filters` as in its address, `columns`',
  }),
  shared: z.boolean(),
  schedule: schedule.nullable().meta({ description: 'Null: it isn’t emailed' }),
  user: z.object({ id, name: z.string() }),
  mine: z.boolean(),
  created_at: instant,
  updated_at: instant,
});
export type FavoriteReport = z.infer<typeof favoriteReport>;
