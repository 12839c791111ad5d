import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  comparisonRange,
  rangeOf,
  periodDays,
  offsets,
  type Comparison,
  type Period,
} from './ranges.ts';

test('a period ends today, and the comparison has as many days', () => {
  const today = fc
    .date({ min: new Date('2020-01-01'), max: new Date('2035-12-31'), noInvalidDate: true })
    .map((d) => d.toISOString().slice(0, 10));
  const days = ({ start, end }: { start: string; end: string }) =>
    (Date.parse(end) - Date.parse(start)) / 86_400_000 + 1;
  fc.assert(
    fc.property(
      today,
      fc.constantFrom(...(Object.keys(periodDays) as Period[])),
      fc.constantFrom(...(Object.keys(offsets) as Comparison[])),
      (day, period, against) => {
        const now = rangeOf(period, day);
        const then = comparisonRange(now, against);
        expect(now.end).toBe(day);
        expect([days(now), days(then)]).toEqual([periodDays[period], periodDays[period]]);
        expect(then.end < now.end).toBe(true);
      },
    ),
  );
});
test('the previous period ends the day before; months earlier use the same day, or a shorter month’s last day', () => {
  expect(comparisonRange({ start: '2026-03-25', end: '2026-03-31' }, 'before')).toEqual({
    start: '2026-03-18',
    end: '2026-03-24',
  });
  expect(comparisonRange({ start: '2026-03-25', end: '2026-03-31' }, '1')).toEqual({
    start: '2026-02-22',
    end: '2026-02-28',
  });
  expect(comparisonRange({ start: '2026-11-15', end: '2026-11-21' }, '12')).toEqual({
    start: '2025-11-15',
    end: '2025-11-21',
  });
  expect(comparisonRange({ start: '2024-02-29', end: '2024-02-29' }, '12')).toEqual({
    start: '2023-02-28',
    end: '2023-02-28',
  });
});
