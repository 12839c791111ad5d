/** Days of a zone, both included: `2026-11-21`. */
export interface Days {
  start: string;
  end: string;
}
/** How many days a period has, with the day of today as its last. The names are those of the activity lists' addresses. */
export const lengths = { today: 1, week: 7, month: 30, quarter: 90 } as const;
export type Period = keyof typeof lengths;
/** What a period is compared with (B §5): as many days just before, or the same days some months earlier. */
export const offsets = { before: 0, '1': 1, '3': 3, '6': 6, '12': 12 } as const;
export type Against = keyof typeof offsets;

const DAY = 86_400_000;
const iso = (at: number): string => new Date(at).toISOString().slice(0, 10);
const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);
/** The same day some months earlier; where that month is shorter, its last. */
function earlier(day: string, months: number): string {
  const [year = 0, month = 1, of = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return iso(Date.UTC(year, month - 1 - months, Math.min(of, last)));
}

/** The days that end today. */
export const daysOf = (period: Period, today: string): Days => ({
  start: iso(at(today) - (lengths[period] - 1) * DAY),
  end: today,
});
/** The days to compare them with. A shorter month does not make the comparison shorter: it begins where it begins and has as many days. */
export function comparedWith({ start, end }: Days, against: Against): Days {
  const length = at(end) - at(start);
  if (against === 'before')
    return { start: iso(at(start) - length - DAY), end: iso(at(start) - DAY) };
  const last = earlier(end, offsets[against]);
  return { start: iso(at(last) - length), end: last };
}
