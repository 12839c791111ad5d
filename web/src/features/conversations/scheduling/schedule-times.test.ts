import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zonedInstant, toLocalInput, schedulePresets, formatWhen } from './schedule-times.ts';
import { scheduleTimeError } from './schedule-time-error.ts';

const newYork = 'America/New_York';
describe('wall-clock conversion', () => {
  it('is correct in summer and winter time', () => {
    expect(zonedInstant('2026-07-01T09:00', newYork)?.toISOString()).toBe(
      '2026-07-01T13:00:00.000Z',
    );
    expect(zonedInstant('2026-12-01T09:00', newYork)?.toISOString()).toBe(
      '2026-12-01T14:00:00.000Z',
    );
  });
  it('round-trips in any time zone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 900_000 }),
        fc.constantFrom(newYork, 'Asia/Kolkata', 'Pacific/Auckland', 'UTC'),
        (minutes, zone) => {
          const at = new Date(Date.UTC(2026, 0, 1) + minutes * 60_000);
          const back = zonedInstant(toLocalInput(at, zone), zone)!;
          // Either instant is right in the hour that repeats.
          expect([0, 3_600_000]).toContain(Math.abs(back.getTime() - at.getTime()));
        },
      ),
    );
  });
  it('rejects invalid text', () => expect(zonedInstant('', newYork)).toBeNull());
});
it('presets are in the future, in the user’s time zone', () => {
  const now = new Date('2026-11-21T20:30:00Z'); // Saturday 3:30 PM in New York
  expect(schedulePresets(now, newYork).map((p) => [p.label, p.at.toISOString()])).toEqual([
    ['In 1 hour', '2026-11-21T21:30:00.000Z'],
    ['This evening', '2026-11-21T23:00:00.000Z'],
    ['Tomorrow morning', '2026-11-22T14:00:00.000Z'],
    ['Tomorrow afternoon', '2026-11-22T18:00:00.000Z'],
    ['Monday morning', '2026-11-23T14:00:00.000Z'],
  ]);
  expect(
    schedulePresets(new Date('2026-11-22T00:00:00Z'), newYork).some(
      (p) => p.label === 'This evening',
    ),
  ).toBe(false);
});
it('a time is at least a minute and at most a year ahead', () => {
  const now = new Date('2026-11-21T10:00:00Z');
  expect(scheduleTimeError(new Date('2026-11-21T10:00:30Z'), now)).toBe(
    'Choose a time at least one minute from now.',
  );
  expect(scheduleTimeError(new Date('2027-11-22T10:00:00Z'), now)).toBe(
    'Choose a time within one year.',
  );
  expect(scheduleTimeError(new Date('2026-11-21T10:05:00Z'), now)).toBeNull();
});
it('formats a time for the middle of a sentence', () => {
  const now = new Date('2026-11-21T20:30:00Z');
  expect(formatWhen('2026-11-21T23:00:00Z', now, newYork)).toBe('today, 6:00 PM');
  expect(formatWhen('2026-11-22T14:00:00Z', now, newYork)).toBe('tomorrow, 9:00 AM');
  expect(formatWhen('2026-11-30T14:00:00Z', now, newYork)).toBe('Nov 30, 9:00 AM');
});
