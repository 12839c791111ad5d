import { z } from 'zod';
import { flag, id, instant } from '../../schemas.ts';
import { timeRange, timezone, weekday } from '../schemas/hours.ts';

const preset = z.coerce
  .number<number>()
  .int()
  .pipe(
    z.union(
      [z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5), z.literal(6)],
      'Choose one of the six presets.',
    ),
  )
  .meta({
    description:
      '1 24/7, 2 Mon-Fri (9-5), 3 Sat-Sun (9-5), 4 Custom, 5 Direct Voicemail, 6 Business Hours',
  });

const blocks = z
  .array(
    z.object({
      days: z.array(weekday).min(1, 'Choose a day.'),
      times: z
        .array(timeRange)
        .min(1, 'Enter a time.')
        .max(10, 'Enter at most ten ranges per day.'),
    }),
  )
  .max(14);

const date = z.iso.date('Use YYYY-MM-DD.');

const exception = z.object({
  from: date,
  to: date,
  label: z.string(),
  closed: z.boolean(),
  times: z.array(timeRange),
});

/** A date or a range; closed, or open at these times. */
const exceptionIn = z
  .object({
    date: date.optional().meta({ description: 'Shorthand for from and to' }),
    from: date.optional(),
    to: date.optional(),
    label: z.string().trim().max(80, 'At most 80 characters.').default(''),
    closed: flag.optional(),
    times: z.array(timeRange).max(10).default([]),
  })
  .transform((given) => ({
    from: given.from ?? given.date ?? '',
    to: given.to ?? given.date ?? given.from ?? '',
    label: given.label,
    closed: given.closed ?? given.times.length === 0,
    times: given.closed === true ? [] : given.times,
  }))
  .superRefine((one, refine) => {
    if (one.from === '')
      refine.addIssue({ code: 'custom', path: ['from'], message: 'Enter a date.' });
    else if (one.to < one.from)
      refine.addIssue({
        code: 'custom',
        path: ['to'],
        message: 'Choose a last day on or after the first.',
      });
    else if (Date.parse(one.to) - Date.parse(one.from) > 366 * 86_400_000)
      refine.addIssue({ code: 'custom', path: ['to'], message: 'Enter at most one year.' });
    if (!one.closed && one.times.length === 0)
      refine.addIssue({
        code: 'custom',
        path: ['times'],
        message: 'Enter a time, or choose closed.',
      });
  });

const hour = z.string().nullable();

const hourIn = z.preprocess(
  (v) => (v === '' ? null : v),
  z
    .string()
    .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00|00:00[–-]24:00)$/, 'Use HH:MM.')
    .nullable(),
);

const week = <T extends z.ZodType>(of: T) => ({
  mon_open_hour: of,
  mon_close_hour: of,
  tue_open_hour: of,
  tue_close_hour: of,
  wed_open_hour: of,
  wed_close_hour: of,
  thu_open_hour: of,
  thu_close_hour: of,
  fri_open_hour: of,
  fri_close_hour: of,
  sat_open_hour: of,
  sat_close_hour: of,
  sun_open_hour: of,
  sun_close_hour: of,
});

export const schedule = z.object({
  id: id.nullable().meta({ description: 'null: not saved yet, these are the defaults' }),
  company_id: id,
  user_id: id.nullable().meta({ description: 'The owner; null: the company' }),
  label: z.string(),
  timezone: z.string(),
  preset,
  blocks: z.array(z.object({ days: z.array(weekday), times: z.array(timeRange) })),
  custom_blocks: z
    .array(z.object({ days: z.array(weekday), times: z.array(timeRange) }))
    .nullable(),
  exceptions: z.array(exception),
  ...week(hour),
  voicemail: z.boolean(),
  updated_at: instant.nullable(),
  used_by_count: z.number().meta({ description: 'Numbers that use it' }),
  holidays: z.array(z.object({ date: z.string(), label: z.string() })).meta({
    description:
      'The next holidays of the setting holiday_calendar, on which the company is closed',
  }),
});

export type Schedule = z.infer<typeof schedule>;

export const scheduleIn = z.object({
  user_id: id.nullish(),
  timezone: timezone.optional(),
  preset: preset.optional(),
  blocks: blocks.optional(),
  custom_blocks: blocks.nullish(),
  exceptions: z.array(exceptionIn).max(200, 'At most 200 exceptions.').optional(),
  ...week(hourIn.optional()),
  voicemail: flag.optional(),
});

export type ScheduleIn = z.infer<typeof scheduleIn>;
