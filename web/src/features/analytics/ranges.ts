/** A range of calendar days in a time zone, both ends included: `2026-11-21`. */
export interface DateRange {
  start: string;
  end: string;
}
/** Days per period, today included. The keys match the URLs of the activity lists. */
export const periodDays = { today: 1, week: 7, month: 30, quarter: 90 } as const;
export type Period = keyof typeof periodDays;
/** The comparison (B §5): as many days just before, or the same days some months earlier. */
export const offsets = { before: 0, '1': 1, '3': 3, '6': 6, '12': 12 } as const;
export type Comparison = keyof typeof offsets;

const DAY = 86_400_000;
const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);
/** The same day some months earlier, or the month's last day when it is shorter. */
function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, of = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return isoDay(Date.UTC(year, month - 1 - months, Math.min(of, last)));
}

/** The days of a period that ends today. */
export const rangeOf = (period: Period, today: string): DateRange => ({
  start: isoDay(at(today) - (periodDays[period] - 1) * DAY),
  end: today,
});
/**
 * The days to compare with. They start at the shifted first day and are as many, also when that
 * month is shorter.
 */
export function comparisonRange({ start, end }: DateRange, against: Comparison): DateRange {
  const length = at(end) - at(start);
  if (against === 'before')
    return { start: isoDay(at(start) - length - DAY), end: isoDay(at(start) - DAY) };
  const last = monthsBefore(end, offsets[against]);
  return { start: isoDay(at(last) - length), end: last };
}
