import { expect, test } from 'vitest';
import { schedules } from '#contract';
import {
  toScheduleDraft,
  rangeOfDay,
  toScheduleRequest,
  scheduleError,
  withDay,
} from './schedule-draft.ts';

const saved = {
  ...(schedules.operations.getSchedule.example.answer as { data: schedules.Schedule }).data,
};

test('an unchanged draft is sent as it was saved', () => {
  const { data } = schedules.operations.getSchedule.example.answer as { data: schedules.Schedule };
  const sent = toScheduleRequest(toScheduleDraft(data, 'Europe/Berlin'), null);
  expect(sent).toMatchObject({
    preset: 2,
    timezone: 'America/New_York',
    mon_open_hour: '09:00',
    sun_close_hour: null,
    exceptions: data.exceptions,
  });
});

test('a user without hours starts in the browser’s time zone and sends no business hours', () => {
  const draft = toScheduleDraft({ ...saved, id: null, user_id: 5 }, 'Europe/Berlin');
  expect(draft.timezone).toBe('Europe/Berlin');
  expect(toScheduleRequest(draft, 5)).not.toHaveProperty('mon_open_hour');
});

test('a day can be closed, open all day, or open for a range', () => {
  const { hours } = toScheduleDraft(saved, 'UTC');
  expect(rangeOfDay(hours, 'sun')).toBeNull();
  expect(rangeOfDay(withDay(hours, 'sun', schedules.allDay), 'sun')).toEqual({
    start: '00:00',
    end: '24:00',
  });
  expect(rangeOfDay(withDay(hours, 'mon', null), 'mon')).toBeNull();
});

test('an overlap is reported with the specified sentence', () => {
  const draft = {
    ...toScheduleDraft(saved, 'UTC'),
    blocks: [
      {
        days: ['fri' as const],
        times: [
          { start: '09:00', end: '12:00' },
          { start: '11:45', end: '13:00' },
        ],
      },
    ],
  };
  expect(scheduleError(draft)).toBe('Two time ranges overlap on Friday.');
  expect(scheduleError(toScheduleDraft(saved, 'UTC'))).toBeNull();
});
