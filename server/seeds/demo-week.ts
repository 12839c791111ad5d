import type { SeededRandom } from './demo-vocabulary.ts';

/** When a company is busy: in its own time zone, Sunday first. */
export interface Rhythm {
  timezone: string;
  /** The share of each weekday in the week's calls and messages; together 1. */
  weekdays: readonly number[];
}
/** Open Monday to Friday, Monday busiest; a few contacts try on a weekend. */
export const officeWeek = [0.006, 0.228, 0.204, 0.196, 0.19, 0.164, 0.012] as const;
/** Open on Saturday as well. */
export const shopWeek = [0.01, 0.19, 0.17, 0.165, 0.165, 0.16, 0.14] as const;

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** The share of each hour of an open day, from 8 AM; opening hours are 9 to 5. */
const openHours = [0.02, 0.12, 0.15, 0.14, 0.1, 0.11, 0.13, 0.12, 0.09, 0.02];
/** The same for a closed day, from 10 AM. */
const closedHours = [0.25, 0.25, 0.2, 0.2, 0.1];
const isOpenOn = ({ weekdays }: Rhythm, weekday: number) => (weekdays[weekday] ?? 0) > 0.05;

/** Cached, because creating a formatter takes longer than using it a thousand times. */
const clocks = new Map<string, Intl.DateTimeFormat>();
/** The calendar day of a time in a zone (`2026-11-21`), and the time of day in milliseconds. */
export function localOf(at: number, timezone: string): { day: string; ms: number } {
  // The Swedish locale writes dates as ISO 8601 does.
  const clock =
    clocks.get(timezone) ??
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: timezone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
  clocks.set(timezone, clock);
  const [day = '', time = ''] = clock.format(at).split(' ');
  const [h = 0, m = 0, s = 0] = time.split(':').map(Number);
  return { day, ms: ((h * 60 + m) * 60 + s) * 1000 };
}
/** The time (ms) at which a clock of the zone shows this day and time of day. */
function momentOf(day: string, ms: number, timezone: string): number {
  const wanted = Date.parse(`${day}T00:00:00Z`) + ms;
  let at = wanted;
  // Twice: the first guess may be on the other side of a clock change.
  for (let pass = 0; pass < 2; pass++) {
    const shown = localOf(at, timezone);
    at += wanted - (Date.parse(`${shown.day}T00:00:00Z`) + shown.ms);
  }
  return at;
}
const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay();
const daysBack = (day: string, n: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) - n * DAY).toISOString().slice(0, 10);

/**
 * Times of the last `days` days in ms, oldest first, none later than `now`: `perWeek` in the last
 * week and `weeklyGrowth` percent fewer each week before. Spread evenly over days and hours by
 * their weights, so that one week is like the next at whatever time of day or week the demo begins.
 */
export function momentsOf(
  random: SeededRandom,
  rhythm: Rhythm,
  now: number,
  { days, perWeek, weeklyGrowth }: { days: number; perWeek: number; weeklyGrowth: number },
): number[] {
  const today = localOf(now, rhythm.timezone).day;
  const moments: number[] = [];
  let owed = 0;
  for (let ago = days; ago >= 0; ago--) {
    const day = daysBack(today, ago);
    const weekday = weekdayOf(day);
    owed += (perWeek * (rhythm.weekdays[weekday] ?? 0)) / (1 + weeklyGrowth / 100) ** (ago / 7);
    const count = Math.round(owed);
    owed -= count;
    const [first, hours] = isOpenOn(rhythm, weekday) ? [8, openHours] : [10, closedHours];
    for (let i = 0; i < count; i++) {
      const place = (i + 0.2 + random.next() * 0.6) / count;
      moments.push(momentOf(day, (first + hourAt(hours, place)) * HOUR, rhythm.timezone));
    }
  }
  return moments.filter((at) => at < now).sort((a, b) => a - b);
}
/** The time at which a share of these hours' total weight has passed. */
function hourAt(shares: readonly number[], place: number): number {
  let left = place;
  for (const [hour, share] of shares.entries()) {
    if (left <= share) return hour + left / share;
    left -= share;
  }
  return shares.length;
}

/** Whether the company is open at a time (ms). */
export function isOpenAt(rhythm: Rhythm, at: number): boolean {
  const { day, ms } = localOf(at, rhythm.timezone);
  return isOpenOn(rhythm, weekdayOf(day)) && ms >= 9 * HOUR && ms < 17 * HOUR;
}
/** A time within opening hours: this one, or soon after the next opening. */
export function nextOpenTime(rhythm: Rhythm, at: number): number {
  if (isOpenAt(rhythm, at)) return at;
  const { day, ms } = localOf(at, rhythm.timezone);
  for (let ahead = ms < 9 * HOUR ? 0 : 1; ahead < 9; ahead++) {
    const next = daysBack(day, -ahead);
    if (isOpenOn(rhythm, weekdayOf(next)))
      return momentOf(next, 9 * HOUR + (at % (50 * 60_000)), rhythm.timezone);
  }
  return at;
}
/** The same in the past: this time, or late on the last open day before. */
export function lastOpenTime(rhythm: Rhythm, at: number): number {
  if (isOpenAt(rhythm, at)) return at;
  const { day, ms } = localOf(at, rhythm.timezone);
  for (let ago = ms >= 17 * HOUR ? 0 : 1; ago < 9; ago++) {
    const last = daysBack(day, ago);
    if (isOpenOn(rhythm, weekdayOf(last)))
      return momentOf(last, 17 * HOUR - 60_000 - (at % (50 * 60_000)), rhythm.timezone);
  }
  return at;
}
/**
 * Three hours of a morning, on the last open day at least two days ago, in which something went wrong.
 */
export function badMorning(rhythm: Rhythm, now: number): { from: number; to: number } {
  const today = localOf(now, rhythm.timezone).day;
  let ago = 2;
  while (!isOpenOn(rhythm, weekdayOf(daysBack(today, ago)))) ago++;
  const [from, to] = [10, 13].map((hour) =>
    momentOf(daysBack(today, ago), hour * HOUR, rhythm.timezone),
  );
  return { from: from!, to: to! };
}
/** Whether a time falls into the bad morning of a company that has one. */
export function isBadMorning(
  { rhythm, hasBadMorning }: { rhythm: Rhythm; hasBadMorning?: boolean },
  at: number,
  now: number,
): boolean {
  if (!hasBadMorning) return false;
  const { from, to } = badMorning(rhythm, now);
  return at >= from && at < to;
}
