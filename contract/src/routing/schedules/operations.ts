import { z } from 'zod';
import { operation } from '../../operation.ts';
import { id, instant, one } from '../../schemas.ts';
import { schedule, type Schedule, scheduleIn } from './schemas.ts';

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
  holidays: [{ date: '2026-11-26', label: 'Thanksgiving Day' }],
};

export const getSchedule = operation({
  summary: 'Get the hours when the company, or one of its people, is open',
  params: z.object({ companyId: id }),
  query: z.object({ user_id: id.optional().meta({ description: 'A person’s own hours' }) }),
  answer: one(schedule),
  example: { params: { companyId: 1 }, query: {}, answer: { data: example } },
});

export const saveSchedule = operation({
  summary:
    'Update the hours. Fields left out stay unchanged; a new preset follows the table of transitions',
  params: z.object({ companyId: id }),
  query: z.object({ user_id: id.optional() }),
  body: scheduleIn,
  answer: one(schedule),
  errors: ['schedule.overlap'],
  etagOf: 'getSchedule',
  example: {
    params: { companyId: 1 },
    body: { preset: 2, exceptions: [{ date: '2026-12-25', label: 'Christmas Day', closed: true }] },
    answer: { data: example },
  },
});

export const saveOwnSchedule = operation({
  summary:
    'Update your own working hours. Outside them no call rings you, nothing is pushed to you, and emails wait',
  params: z.object({ companyId: id }),
  body: scheduleIn.omit({ user_id: true }),
  answer: one(schedule),
  errors: ['schedule.overlap'],
  example: {
    params: { companyId: 1 },
    body: { preset: 2, timezone: 'America/New_York' },
    answer: { data: { ...example, id: 32, user_id: 5 } },
  },
});

export const previewSchedule = operation({
  summary:
    'Check whether it’s open or closed at a given time, with the reason: for the saved hours, or for those sent. Nothing is saved',
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
  errors: ['schedule.overlap'],
  example: {
    params: { companyId: 1 },
    body: { on: '2026-12-25T10:00' },
    answer: {
      data: {
        at: '2026-12-25T15:00:00.000Z',
        open: false,
        rule: 'exception',
        because: 'Closed at Fri 10:00 AM Eastern Time: Christmas Day.',
      },
    },
  },
});
