/** The holidays of the US government (5 U.S.C. 6103), as special days of a schedule. Pure. */
import { DateTime } from 'luxon';
import type { HoursException } from '#contract/routing/schedules/rules';

/** A date of each year, moved to the nearest weekday when it is observed. */
const fixed: readonly [month: number, day: number, label: string][] = [
  [1, 1, 'New Year’s Day'],
  [6, 19, 'Juneteenth'],
  [7, 4, 'Independence Day'],
  [11, 11, 'Veterans Day'],
  [12, 25, 'Christmas Day'],
];
/** The nth weekday (1 Monday) of a month; -1: the last. */
const moving: readonly [month: number, weekday: number, nth: number, label: string][] = [
  [1, 1, 3, 'Martin Luther King Jr. Day'],
  [2, 1, 3, 'Presidents’ Day'],
  [5, 1, -1, 'Memorial Day'],
  [9, 1, 1, 'Labor Day'],
  [10, 1, 2, 'Columbus Day'],
  [11, 4, 4, 'Thanksgiving Day'],
];

/** Saturday’s holidays are observed on Friday, Sunday’s on Monday. */
const observed = (date: DateTime): DateTime =>
  date.plus({ days: { 6: -1, 7: 1 }[date.weekday as number] ?? 0 });

function nthWeekday(year: number, month: number, weekday: number, nth: number): DateTime {
  const first = DateTime.utc(year, month, 1);
  if (nth > 0) return first.plus({ days: ((weekday - first.weekday + 7) % 7) + (nth - 1) * 7 });
  const last = first.endOf('month').startOf('day');
  return last.minus({ days: (last.weekday - weekday + 7) % 7 });
}

/** The federal holidays of a year as observed; January 1 may be observed on December 31 before. */
const holidaysIn = (year: number): HoursException[] =>
  [
    ...fixed.map(([month, day, label]) => ({
      on: observed(DateTime.utc(year, month, day)),
      label,
    })),
    ...moving.map(([month, weekday, nth, label]) => ({
      on: nthWeekday(year, month, weekday, nth),
      label,
    })),
  ]
    .map(({ on, label }) => ({ date: on.toISODate() ?? '', label }))
    .toSorted((a, b) => a.date.localeCompare(b.date))
    .map(({ date, label }) => ({ from: date, to: date, label, closed: true, times: [] }));

/** Federal holidays from the year before this moment until two years after it, by date. */
export const federalHolidays = (around: Date): HoursException[] =>
  [-1, 0, 1, 2].flatMap((years) => holidaysIn(around.getUTCFullYear() + years));
