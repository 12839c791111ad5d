import { expect, test } from 'vitest';
import { nextPeriodEnd } from './period.ts';

const at = (day: string) => new Date(`${day}T10:30:00Z`);
/** The ends of so many periods in a row. */
function ends(anchor: string, interval: 'month' | 'year', count: number): string[] {
  const found: string[] = [];
  let start = at(anchor);
  for (let i = 0; i < count; i++) {
    start = nextPeriodEnd(at(anchor), interval, start);
    found.push(start.toISOString().slice(0, 10));
  }
  return found;
}

test('what began on the 31st ends on the last day of shorter months, and on the 31st again', () => {
  expect(ends('2027-12-31', 'month', 5)).toEqual([
    '2028-01-31',
    '2028-02-29',
    '2028-03-31',
    '2028-04-30',
    '2028-05-31',
  ]);
  expect(ends('2027-01-30', 'month', 2)).toEqual(['2027-02-28', '2027-03-30']);
});

test('a year that began on a leap day ends on the 28th, and on the 29th in the next one', () => {
  expect(ends('2028-02-29', 'year', 4)).toEqual([
    '2029-02-28',
    '2030-02-28',
    '2031-02-28',
    '2032-02-29',
  ]);
});

test('a period ends after it begins, to the millisecond, whatever the day', () => {
  for (let n = 0; n < 1500; n++) {
    const start = new Date(Date.UTC(2026, 0, 1 + n, n % 24, n % 60));
    const end = nextPeriodEnd(at('2025-10-31'), 'month', start);
    const days = (end.getTime() - start.getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(0);
    expect(days).toBeLessThanOrEqual(31);
  }
});
