import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { usualDateStyle, writeDate, type DateStyle } from '#contract/date-style';
import { session } from './session.ts';
import {
  calendarDay,
  formatAgo,
  formatDate,
  formatDateTime,
  formatDay,
  formatBytes,
  formatDuration,
  formatListTime,
  formatMoment,
  formatMoney,
  formatPhoneNumber,
  formatRelativeDay,
  formatSpan,
  formatTime,
  initialsOf,
  isKnownZone,
  zoneName,
} from './format.ts';

const ny = 'America/New_York';
describe('formats (A §9, B §9)', () => {
  it('times are h:mm A, MMM D and MMM D, YYYY in the given zone', () => {
    const at = '2026-11-21T05:05:00.000Z';
    expect([formatTime(at, ny), formatDay(at, ny), formatDate(at, ny)]).toEqual([
      '12:05 AM',
      'Nov 21',
      'Nov 21, 2026',
    ]);
    expect(formatTime('2026-07-01T17:30:00Z', ny)).toBe('1:30 PM');
  });
  it('relative days follow the calendar of the zone, not 24-hour periods', () => {
    const now = '2026-11-21T06:00:00Z'; // 1 AM in New York
    expect(formatRelativeDay('2026-11-21T05:30:00Z', now, ny)).toBe('Today');
    expect(formatRelativeDay('2026-11-21T04:30:00Z', now, ny)).toBe('Yesterday');
    expect(formatRelativeDay('2026-11-17T12:00:00Z', now, ny)).toBe('Tuesday');
    expect(formatRelativeDay('2026-03-02T12:00:00Z', now, ny)).toBe('Mar 2');
    expect(formatRelativeDay('2025-03-02T12:00:00Z', now, ny)).toBe('Mar 2, 2025');
    expect(formatListTime('2026-11-21T05:30:00Z', now, ny)).toBe('12:30 AM');
    expect(calendarDay('2026-11-21T04:30:00Z', ny)).toBe('2026-11-20');
  });
  it('a date and time has the year only when it is not this one', () => {
    const now = '2026-11-26T20:00:00Z';
    const at = '2026-11-24T19:00:00Z';
    expect(formatDateTime(at, ny, now)).toBe('Nov 24, 2:00 PM');
    expect(formatDateTime('2025-11-26T19:00:00Z', ny, now)).toBe('Nov 26, 2025, 2:00 PM');
    expect(formatMoment('2026-11-26T19:00:00Z', now, ny)).toBe('2:00 PM');
    expect(formatMoment(at, now, ny)).toBe('Nov 24, 2:00 PM');
  });
  it('time zones have their common names', () => {
    expect([ny, 'Europe/Berlin', 'UTC'].map(zoneName)).toEqual([
      'Eastern Time',
      'Central European Time',
      'UTC',
    ]);
  });
  it('recent times are in minutes and hours', () => {
    const now = Date.parse('2026-11-21T15:00:00Z');
    expect([10, 4 * 60, 3 * 3600].map((s) => formatAgo(now - s * 1000, now, ny))).toEqual([
      'just now',
      '4 min ago',
      '3 h ago',
    ]);
    // Clocks differ a little; what is due later isn't over.
    expect([2 * 60, 3600, 86_400].map((s) => formatAgo(now + s * 1000, now, ny))).toEqual([
      'just now',
      '11:00 AM',
      'Tomorrow',
    ]);
  });
  it('money has two decimals when it is not whole', () => {
    expect([1200, 1250, 0, 5, -1999, 123_456_789].map((c) => formatMoney(c))).toEqual([
      '$12',
      '$12.50',
      '$0',
      '$0.05',
      '-$19.99',
      '$1,234,567.89',
    ]);
  });
  it('durations, time spans and file sizes', () => {
    expect([7, 754, 3723].map(formatDuration)).toEqual(['0:07', '12:34', '1:02:03']);
    expect([45, 180, 3900, 7200].map(formatSpan)).toEqual(['45 s', '3 min', '1 h 5 min', '2 h']);
    expect([640, 12_000, 3_500_000, 78_864_100_000].map(formatBytes)).toEqual([
      ...['640 B', '12 KB', '3.5 MB', '78.9 GB'],
    ]);
  });
  it('phone numbers are national for US and CA, and international with dashes otherwise', () => {
    expect(formatPhoneNumber('+14155552368')).toBe('(415) 555-2368');
    expect(formatPhoneNumber('+14155552368', 'international')).toBe('+1-415-555-2368');
    expect(formatPhoneNumber('+442079460958')).toBe('+44-20-7946-0958');
  });
  it('initials contain only letters', () => {
    expect(
      ['Dana Reed', 'Harbor Dental North', 'Cher', '+1 212', 'Élodie van Ünsal'].map(initialsOf),
    ).toEqual(['DR', 'HN', 'C', '', 'ÉÜ']);
  });
  it('an unknown time zone is ignored', () => {
    expect([isKnownZone('Europe/Berlin'), isKnownZone('Mars/Olympus'), isKnownZone('')]).toEqual([
      true,
      false,
      false,
    ]);
  });
  it('a formatted clock parses to the same seconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400_000 }), (s) => {
        expect(
          formatDuration(s)
            .split(':')
            .map(Number)
            .reduce((all, part) => all * 60 + part, 0),
        ).toBe(s);
      }),
    );
  });
});

describe('the company’s formats', () => {
  const signedIn = session.get();
  afterEach(() => session.set(signedIn));
  const at = '2026-09-05T18:07:00Z';
  const written = (formats: DateStyle | undefined) => {
    session.set({ ...signedIn, user: { formats } as never });
    return [formatDate(at, 'UTC'), formatDay(at, 'UTC'), formatTime(at, 'UTC')];
  };
  it('decide dates, days without a year, and times; the usual ones without a company', () => {
    const of = (date_format: string, time_format = 'h:mm A', locale = 'en-US') =>
      written({ date_format, time_format, locale });
    expect(written(undefined)).toEqual(['Sep 5, 2026', 'Sep 5', '6:07 PM']);
    expect(of('D MMM YYYY', 'HH:mm')).toEqual(['5 Sep 2026', '5 Sep', '18:07']);
    expect(of('MM/DD/YYYY')).toEqual(['09/05/2026', '09/05', '6:07 PM']);
    expect(of('DD/MM/YYYY')).toEqual(['05/09/2026', '05/09', '6:07 PM']);
    expect(of('YYYY-MM-DD')).toEqual(['2026-09-05', '09-05', '6:07 PM']);
    expect(of('D MMM YYYY', 'h:mm A', 'en-GB')[0]).toBe('5 Sept 2026');
  });
  it('write midnight and noon by both clocks', () => {
    const time = (clock: string, time_format: string) =>
      writeDate('time', `2026-09-05T${clock}:00Z`, 'UTC', { ...usualDateStyle, time_format });
    expect([time('00:05', 'HH:mm'), time('12:05', 'HH:mm')]).toEqual(['00:05', '12:05']);
    expect([time('00:05', 'h:mm A'), time('12:05', 'h:mm A')]).toEqual(['12:05 AM', '12:05 PM']);
  });
});
