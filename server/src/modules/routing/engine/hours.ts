/** Business hours: is a number, route or destination open at an instant? Pure; rules of B §4 and A7.3. */
import { DateTime } from 'luxon';

export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';
export const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** `HH:MM` local wall clock. `end` may be `24:00`; end ≤ start crosses midnight. */
export interface TimeRange {
  start: string;
  end: string;
}

export interface HoursBlock {
  days: Weekday[];
  times: TimeRange[];
}

/** A date (`2026-12-25`, or a range including `to`) that beats the weekly blocks. */
export interface HoursException {
  from: string;
  to: string;
  label: string;
  closed: boolean;
  times: TimeRange[];
}

/** B §4 presets: 1 24/7, 2 Mon–Fri 9–5, 3 Sat–Sun 9–5, 4 custom, 5 direct voicemail, 6 the company's business hours. */
export interface Hours {
  timezone: string;
  preset: 1 | 2 | 3 | 4 | 5 | 6;
  blocks: HoursBlock[];
  exceptions: HoursException[];
  /** B §4: set = Direct Voicemail, whatever the preset; the blocks are kept. */
  voicemail: boolean;
}

export interface HoursAnswer {
  open: boolean;
  rule: 'direct voicemail' | 'exception' | 'block' | 'closed';
  /** A sentence for people: "Open: Mon 09:00–17:00 (America/New_York)." */
  because: string;
}

const nineToFive: TimeRange[] = [{ start: '09:00', end: '17:00' }];

/** A7.3: the blocks a preset stands for. 4, 5 and 6 keep the blocks they are given (6: those of the company's hours). */
export function presetBlocks(preset: Hours['preset'], own: HoursBlock[]): HoursBlock[] {
  if (preset === 1) return [{ days: [...weekdays], times: [{ start: '00:00', end: '24:00' }] }];
  if (preset === 2) return [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], times: nineToFive }];
  if (preset === 3) return [{ days: ['sat', 'sun'], times: nineToFive }];
  return own;
}

/** B §3: an open and a close hour a weekday, null = closed. */
export type CompanyHours = Partial<Record<`${Weekday}_${'open' | 'close'}_hour`, string | null>>;

export function companyBlocks(hours: CompanyHours): HoursBlock[] {
  return weekdays.flatMap((day) => {
    const start = hours[`${day}_open_hour`] ?? null;
    const end = hours[`${day}_close_hour`] ?? null;
    return start === null || end === null ? [] : [{ days: [day], times: [{ start, end }] }];
  });
}

/** Minutes since midnight. */
function minutesOf(clock: string): number {
  const [hour = '0', minute = '0'] = clock.split(':');
  return Number(hour) * 60 + Number(minute);
}

/**
 * The instant a local wall clock shows `minutes` past midnight of a date: the first time if the clock shows it twice,
 * the next minute that exists if it never does (A7.3: "a skipped hour counts as closed→next minute").
 */
function instantOf(date: DateTime, minutes: number): number {
  const day = minutes >= 1440 ? date.plus({ days: 1 }) : date;
  const wanted = minutes % 1440;
  // Some zones skipped a whole day (Samoa, 2011): look as far as two days on.
  for (let m = wanted; m < wanted + 2880; m += 1) {
    const on = day.plus({ days: Math.floor(m / 1440) });
    const hour = Math.floor((m % 1440) / 60);
    const shown = DateTime.fromObject({ year: on.year, month: on.month, day: on.day, hour, minute: m % 60 }, { zone: date.zone });
    if (shown.hour === hour && shown.minute === m % 60 && shown.day === on.day) {
      return Math.min(...shown.getPossibleOffsets().map((one) => one.toMillis()));
    }
  }
  return day.toMillis();
}

/**
 * Start and end of a range on a date. A range that lies wholly inside an hour the clock shows twice counts once, in
 * its first pass; one that reaches beyond it is simply open throughout.
 */
function spanOf(date: DateTime, range: TimeRange): { start: number; end: number } {
  const from = minutesOf(range.start);
  const to = minutesOf(range.end);
  const wall = to <= from ? to + 1440 - from : to - from;
  const start = instantOf(date, from);
  const end = instantOf(date, from + wall);
  const startsTwice = DateTime.fromMillis(start, { zone: date.zone }).getPossibleOffsets().length > 1;
  const onceEnd = start + wall * 60_000;
  if (startsTwice && wall > 0 && onceEnd < end) {
    const lastMinute = DateTime.fromMillis(onceEnd - 60_000, { zone: date.zone });
    if (lastMinute.getPossibleOffsets().length > 1) return { start, end: onceEnd };
  }
  return { start, end };
}

function rangesOn(hours: Hours, blocks: HoursBlock[], date: DateTime): { times: TimeRange[]; exception: HoursException | null } {
  const iso = date.toISODate() ?? '';
  const exception = hours.exceptions.find((one) => one.from <= iso && iso <= one.to) ?? null;
  if (exception !== null) return { times: exception.closed ? [] : exception.times, exception };
  const weekday = weekdays[date.weekday - 1];
  return { times: blocks.filter((block) => weekday !== undefined && block.days.includes(weekday)).flatMap((block) => block.times), exception: null };
}

/**
 * Open at an instant? Exceptions beat weekly blocks: on an exception's date neither that weekday's blocks nor the tail
 * of the night before count (the tail of another exception does).
 * @param at epoch ms
 */
export function isOpen(hours: Hours, at: number): HoursAnswer {
  if (hours.voicemail || hours.preset === 5) return { open: false, rule: 'direct voicemail', because: 'Direct Voicemail is set.' };
  const local = DateTime.fromMillis(at, { zone: hours.timezone });
  const clock = `${local.setLocale('en-US').toFormat('ccc HH:mm')} ${hours.timezone}`;
  const blocks = presetBlocks(hours.preset, hours.blocks);
  const today = rangesOn(hours, blocks, local.startOf('day'));
  for (const daysAgo of [0, 1]) {
    const date = local.startOf('day').minus({ days: daysAgo });
    const { times, exception } = rangesOn(hours, blocks, date);
    if (daysAgo === 1 && today.exception !== null && exception === null) continue;
    for (const range of times) {
      const { start, end } = spanOf(date, range);
      if (at < start || at >= end) continue;
      const day = date.setLocale('en-US').toFormat('ccc');
      const which = exception === null ? `${day} ${range.start}–${range.end}` : `${exception.label} ${range.start}–${range.end}`;
      return { open: true, rule: exception === null ? 'block' : 'exception', because: `Open at ${clock}: ${which}.` };
    }
  }
  if (today.exception !== null) return { open: false, rule: 'exception', because: `Closed at ${clock}: ${today.exception.label}.` };
  return { open: false, rule: 'closed', because: `Closed at ${clock}.` };
}
