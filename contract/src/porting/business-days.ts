const dayMs = 86_400_000;

const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const daysBetween = (from: string, to: string): number =>
  Math.round((at(to) - at(from)) / dayMs);

/** The n-th of a weekday (0 Sunday) in a month (1 to 12); n = -1 is the last. */
function nth(year: number, month: number, weekday: number, n: number): number {
  if (n < 0) {
    const last = Date.UTC(year, month, 0);
    return last - ((new Date(last).getUTCDay() - weekday + 7) % 7) * dayMs;
  }
  const first = Date.UTC(year, month - 1, 1);
  return first + (((weekday - new Date(first).getUTCDay() + 7) % 7) + (n - 1) * 7) * dayMs;
}

/** The observed day: Friday for a holiday on Saturday, Monday for one on Sunday. */
const observed = (ms: number): number =>
  ms + (new Date(ms).getUTCDay() === 6 ? -dayMs : new Date(ms).getUTCDay() === 0 ? dayMs : 0);

/** Observed days of the eleven US federal holidays of a year, as `YYYY-MM-DD` (5 U.S.C. 6103). */
export function federalHolidays(year: number): string[] {
  const fixed = (
    [
      [year, 1, 1],
      [year, 6, 19],
      [year, 7, 4],
      [year, 11, 11],
      [year, 12, 25],
      [year + 1, 1, 1],
    ] as const
  ).map(([y, m, d]) => observed(Date.UTC(y, m - 1, d)));
  return [
    ...fixed,
    nth(year, 1, 1, 3),
    nth(year, 2, 1, 3),
    nth(year, 5, 1, -1),
    nth(year, 9, 1, 1),
    nth(year, 10, 1, 2),
    nth(year, 11, 4, 4),
  ]
    .map(dayOf)
    .filter((d) => d.startsWith(`${year}-`))
    .sort();
}

/** Easter Sunday of a year, by the Gregorian computus. */
function easter(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const h =
    (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const n = h + l - 7 * Math.floor((a + 11 * h + 22 * l) / 451) + 114;
  return Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1);
}

/**
 * Observed days of Canada's ten general holidays of a year (Canada Labour Code, part III); one on a
 * weekend moves to the next working day.
 */
export function canadianHolidays(year: number): string[] {
  const beforeMay25 = Date.UTC(year, 4, 24);
  const victoria = beforeMay25 - ((new Date(beforeMay25).getUTCDay() + 6) % 7) * dayMs;
  const taken = new Set([
    easter(year) - 2 * dayMs,
    victoria,
    nth(year, 9, 1, 1),
    nth(year, 10, 1, 2),
  ]);
  for (const [month, day] of [
    [1, 1],
    [7, 1],
    [9, 30],
    [11, 11],
    [12, 25],
    [12, 26],
  ] as const) {
    let ms = Date.UTC(year, month - 1, day);
    while ([0, 6].includes(new Date(ms).getUTCDay()) || taken.has(ms)) ms += dayMs;
    taken.add(ms);
  }
  return [...taken].map(dayOf).sort();
}

type Country = 'US' | 'CA';

/** The country whose business days count: Canada for type 3. */
export const countryOfPortType = (type: number): Country => (type === 3 ? 'CA' : 'US');

export function isBusinessDay(day: string, country: Country = 'US'): boolean {
  const weekday = new Date(at(day)).getUTCDay();
  const holidays = country === 'CA' ? canadianHolidays : federalHolidays;
  return weekday !== 0 && weekday !== 6 && !holidays(Number(day.slice(0, 4))).includes(day);
}

/** The day that is `n` business days after a day (which itself does not count). */
export function businessDaysLater(day: string, n: number, country: Country = 'US'): string {
  let ms = at(day);
  for (let left = n; left > 0;) {
    ms += dayMs;
    if (isBusinessDay(dayOf(ms), country)) left--;
  }
  return dayOf(ms);
}

/** Business days a carrier needs: 7, toll-free 2. */
const portLeadDays = (type: number): number => (type === 2 ? 2 : 7);

export const earliestPortDay = (today: string, type: number): string =>
  businessDaysLater(today, portLeadDays(type), countryOfPortType(type));
