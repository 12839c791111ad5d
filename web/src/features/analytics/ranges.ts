/** Days of a zone, both included: `2026-11-21`. */
export interface DateRange {
  start: string;
  end: string;
}
/** How many days a period has, with the day of today as its last. The names are those of the activity lists' addresses. */
export const periodDays = { today: 1, week: 7, month: 30, quarter: 90 } as const;
export type Period = keyof typeof periodDays;
/** What a period is compared with (B §5): as many days just before, or the same days some months earlier. */
export const offsets = { before: 0, '1': 1, '3': 3, '6': 6, '12': 12 } as const;
export type Comparison = keyof typeof offsets;

const DAY = 86_400_000;
const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);
/** The same day some months earlier; where that month is shorter, its last. */
function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, of = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return isoDay(Date.UTC(year, month - 1 - months, Math.min(of, last)));
}

/** The days that end today. */
export const rangeOf = (period: Period, today: string): DateRange => ({
  start: isoDay(at(today) - (periodDays[period] - 1) * DAY),
  end: today,
});
/** The days to compare them with. A shorter month does not make the comparison shorter: it begins where it begins and has as many days. */
export function comparisonRange({ start, end }: DateRange, against: Comparison): DateRange {
  const length = at(end) - at(start);
  if (against === 'before')
    return { start: isoDay(at(start) - length - DAY), end: isoDay(at(start) - DAY) };
  const last = monthsBefore(end, offsets[against]);
  return { start: isoDay(at(last) - length), end: last };
}
