import { datePartsOf, usualDateStyle, writeDate } from '#contract/date-style';
import { formatPhone } from '#contract/phone';
import { session } from './session.ts';
import { t } from './i18n.ts';

/**
 * Formats numbers, money, times and phones (A §9, B §9): US English, USD, and dates as the company
 * writes them, by default `h:mm A`, `MMM D`, `MMM D, YYYY`.
 */

const plainNumber = new Intl.NumberFormat('en-US');
/** A number with the separators of American English: `1,234.5`. */
export const formatNumber = (n: number): string => plainNumber.format(n);

export { formatDuration } from '#contract/duration';
export { formatMoney, parseMoney } from '#contract/money';
export { zoneName } from '#contract/zone-name';

/** A number as people read it; what is not E.164 stays as it is. */
export const formatPhoneNumber = (
  e164: string,
  style: 'auto' | 'national' | 'international' = 'auto',
): string => formatPhone(e164, style);

export type Instant = string | number | Date;
const knownZones = new Map<string, boolean>();
/** Whether it is a known time zone name (A §5). */
export function isKnownZone(zone: string | null | undefined): zone is string {
  if (!zone) return false;
  let isKnown = knownZones.get(zone);
  if (isKnown === undefined) {
    try {
      new Intl.DateTimeFormat('en-US', { timeZone: zone });
      isKnown = true;
    } catch {
      isKnown = false;
    }
    knownZones.set(zone, isKnown);
  }
  return isKnown;
}
/** The browser's IANA time zone; `UTC` when it tells none. */
export function browserZone(): string {
  // Asking takes as long as writing fifty times, and each time on a screen does; people who travel change it.
  if (!(Date.now() - browsersZone.askedAt < 60_000))
    browsersZone = {
      name: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
      askedAt: Date.now(),
    };
  return browsersZone.name;
}
let browsersZone = { name: 'UTC', askedAt: -Infinity };
/** The user's zone; else the browser's, else UTC. */
export function userZone(): string {
  const own = session.get().user?.timezone;
  return isKnownZone(own) ? own : browserZone();
}

type DateFormat = (when: Instant, zone: string, what: 'time' | 'day' | 'date') => string;
let ownFormat: DateFormat | null = null;
/** Writes dates and times another way, where the app has a choice. Null: as A §9 and B §9 say. */
export const setDateFormat = (format: DateFormat | null): void => {
  ownFormat = format;
};

/** As the selected company writes them, unless the app has a choice. */
function write(when: Instant, zone: string, what: 'time' | 'day' | 'date'): string {
  if (ownFormat) return ownFormat(when, zone, what);
  return writeDate(what, when, zone, session.get().user?.formats ?? usualDateStyle);
}
/** `h:mm A` */
export const formatTime = (when: Instant, zone = userZone()): string => write(when, zone, 'time');
/** `MMM D` */
export const formatDay = (when: Instant, zone = userZone()): string => write(when, zone, 'day');
/** `MMM D, YYYY` */
export const formatDate = (when: Instant, zone = userZone()): string => write(when, zone, 'date');
/** `MMM D, h:mm A`, with the year when it isn't this one: `Nov 26, 2:00 PM`. */
export function formatDateTime(
  when: Instant,
  zone = userZone(),
  now: Instant = Date.now(),
): string {
  const isThisYear = datePartsOf(when, zone)['year'] === datePartsOf(now, zone)['year'];
  const day = isThisYear ? formatDay(when, zone) : formatDate(when, zone);
  return `${day}, ${formatTime(when, zone)}`;
}
/** For rows where the minute matters: the time today, else `formatDateTime`. */
export const formatMoment = (when: Instant, now: Instant = Date.now(), zone = userZone()): string =>
  calendarDay(when, zone) === calendarDay(now, zone)
    ? formatTime(when, zone)
    : formatDateTime(when, zone, now);
/** The calendar day in a zone as `YYYY-MM-DD`. */
export function calendarDay(when: Instant, zone = userZone()): string {
  // Making a formatter takes fifty times as long as using it, and each row of a list asks twice.
  const format =
    dayFormats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  dayFormats.set(zone, format);
  return format.format(new Date(when));
}
const dayFormats = new Map<string, Intl.DateTimeFormat>();
const daysBetween = (a: string, b: string): number =>
  Math.round((Date.parse(`${a}T00:00Z`) - Date.parse(`${b}T00:00Z`)) / 86_400_000);

/** Today, Yesterday, a weekday within the week, else `MMM D` or, in another year, `MMM D, YYYY`. */
export function formatRelativeDay(
  when: Instant,
  now: Instant = Date.now(),
  zone = userZone(),
): string {
  const ago = daysBetween(calendarDay(now, zone), calendarDay(when, zone));
  if (ago === 0) return t('Today');
  if (ago === 1) return t('Yesterday');
  if (ago === -1) return t('Tomorrow');
  if (ago > 1 && ago < 7) return datePartsOf(when, zone)['weekday'] ?? '';
  return datePartsOf(when, zone)['year'] === datePartsOf(now, zone)['year']
    ? formatDay(when, zone)
    : formatDate(when, zone);
}
/** For list rows: the time if today, otherwise the relative day. */
export function formatListTime(
  when: Instant,
  now: Instant = Date.now(),
  zone = userZone(),
): string {
  return calendarDay(when, zone) === calendarDay(now, zone)
    ? formatTime(when, zone)
    : formatRelativeDay(when, now, zone);
}
/** `just now`, `4 min ago`, `3 h ago`, then the relative day. What is still to come has its time. */
export function formatAgo(when: Instant, now: Instant = Date.now(), zone = userZone()): string {
  const minutes = Math.floor((new Date(now).getTime() - new Date(when).getTime()) / 60_000);
  // Clocks differ by a few minutes.
  if (minutes < -5) return formatListTime(when, now, zone);
  if (minutes < 1) return t('just now');
  if (minutes < 60) return t('{minutes} min ago', { minutes });
  if (minutes < 6 * 60) return t('{hours} h ago', { hours: Math.floor(minutes / 60) });
  return formatListTime(when, now, zone);
}

/** Seconds for reading: `45 s`, `3 min`, `1 h 5 min`. */
export function formatSpan(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return t('{s} s', { s });
  const m = Math.round(s / 60);
  if (m < 60) return t('{m} min', { m });
  return m % 60
    ? t('{h} h {m} min', { h: Math.floor(m / 60), m: m % 60 })
    : t('{h} h', { h: Math.floor(m / 60) });
}
/** Bytes for reading: `640 B`, `12 KB`, `3.5 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  const [size, unit] = bytes < 1_000_000_000 ? [1_000_000, 'MB'] : [1_000_000_000, 'GB'];
  return `${(bytes / size).toFixed(1).replace(/\.0$/, '')} ${unit}`;
}
/** First letters of a name, at most two; empty for a phone number. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .filter((w) => /\p{L}/u.test(w));
  return (words.length > 1 ? [words[0], words.at(-1)] : words)
    .map((w) => [...(w ?? '')].find((c) => /\p{L}/u.test(c)) ?? '')
    .join('')
    .toUpperCase();
}
