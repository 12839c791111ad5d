/** Business hours of companies and people (decisions A7.3). Module: routing. */
import { z } from 'zod';
import { endpoint, event, flag, id, instant, one } from './kit.ts';
import { timeRange, timezone, weekday } from './routing.ts';

export * from './schedule-rules.ts';

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

const mondayToFriday = {
  days: ['mon' as const, 'tue' as const, 'wed' as const, 'thu' as const, 'fri' as const],
  times: [{ start: '09:00', end: '17:00' }],
};
const example: Schedule = {
  id: 31,
  company_id: 1,
  user_id: null,
  label: 'Mon-Fri (9-5)',
  timezone: 'America/New_York',
  preset: 2,
  blocks: [mondayToFriday],
  custom_blocks: null,
  exceptions: [
    { from: '2026-12-25', to: '2026-12-25', label: 'Christmas Day', closed: true, times: [] },
  ],
  mon_open_hour: '09:00',
  mon_close_hour: '17:00',
  tue_open_hour: '09:00',
  tue_close_hour: '17:00',
  wed_open_hour: '09:00',
  wed_close_hour: '17:00',
  thu_open_hour: '09:00',
  thu_close_hour: '17:00',
  fri_open_hour: '09:00',
  fri_close_hour: '17:00',
  sat_open_hour: null,
  sat_close_hour: null,
  sun_open_hour: null,
  sun_close_hour: null,
  voicemail: false,
  updated_at: '2026-11-21T09:15:04.000Z',
  used_by_count: 0,
};

export const getSchedule = endpoint({
  name: 'getSchedule',
  method: 'GET',
  path: '/companies/{companyId}/schedule',
  summary: 'Get the hours when the company, or one of its people, is open',
  permission: 'routing.view',
  company: 'path',
  params: z.object({ companyId: id }),
  query: z.object({ user_id: id.optional().meta({ description: 'A person’s own hours' }) }),
  answer: one(schedule),
  example: { params: { companyId: 1 }, query: {}, answer: { data: example } },
});
export const saveSchedule = endpoint({
  name: 'saveSchedule',
  method: 'PUT',
  path: '/companies/{companyId}/schedule',
  summary:
    'Update the hours. Fields left out stay unchanged; a new preset follows the table of transitions',
  permission: 'routing.edit',
  company: 'path',
  params: z.object({ companyId: id }),
  query: z.object({ user_id: id.optional() }),
  body: scheduleIn,
  answer: one(schedule),
  refusals: ['schedule.overlap'],
  etagOf: 'getSchedule',
  example: {
    params: { companyId: 1 },
    body: { preset: 2, exceptions: [{ date: '2026-12-25', label: 'Christmas Day', closed: true }] },
    answer: { data: example },
  },
});
export const previewSchedule = endpoint({
  name: 'previewSchedule',
  method: 'POST',
  path: '/companies/{companyId}/schedule/preview',
  summary:
    'Check whether it’s open or closed at a given time, with the reason: for the saved hours, or for those sent. Nothing is saved',
  permission: 'routing.view',
  company: 'path',
  params: z.object({ companyId: id }),
  body: scheduleIn.extend({
    at: z.iso.datetime({ offset: true, message: 'Use an ISO-8601 timestamp.' }).optional(),
    on: z
      .string()
      .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/, 'Use YYYY-MM-DDTHH:MM.')
      .optional()
      .meta({ description: 'Local time of the schedule instead of a timestamp' }),
  }),
  answer: one(
    z.object({
      at: instant,
      open: z.boolean(),
      rule: z.enum(['direct voicemail', 'exception', 'block', 'closed']),
      because: z.string(),
    }),
  ),
  refusals: ['schedule.overlap'],
  example: {
    params: { companyId: 1 },
    body: { on: '2026-12-25T10:00' },
    answer: {
      data: {
        at: '2026-12-25T15:00:00.000Z',
        open: false,
        rule: 'exception',
        because: 'Closed at Fri 10:00 America/New_York: Christmas Day.',
      },
    },
  },
});

/** Hours were changed: calls that start from now on follow them. */
export const scheduleChanged = event({
  name: 'schedule.changed',
  channel: 'companies',
  data: z.object({ companyId: id, userId: id.nullable() }),
  touches: ['getSchedule', 'previewSchedule'],
});
