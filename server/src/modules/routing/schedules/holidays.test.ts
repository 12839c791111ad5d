import { expect, test } from 'vitest';
import { federalHolidays } from './holidays.ts';

test('federal holidays fall on the days that the government observes', () => {
  const of = (year: string) =>
    federalHolidays(new Date('2026-06-01'))
      .filter((one) => one.from.startsWith(year))
      .map((one) => one.from.slice(5));
  // From the government's published lists of 2026 and 2027.
  expect(of('2026')).toEqual([
    '01-01',
    '01-19',
    '02-16',
    '05-25',
    '06-19',
    '07-03',
    '09-07',
    '10-12',
    '11-11',
    '11-26',
    '12-25',
  ]);
  expect(of('2027')).toEqual([
    '01-01',
    '01-18',
    '02-15',
    '05-31',
    '06-18',
    '07-05',
    '09-06',
    '10-11',
    '11-11',
    '11-25',
    '12-24',
    '12-31',
  ]);
});
