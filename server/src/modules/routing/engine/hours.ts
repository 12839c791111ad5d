/** Business hours of a number, route, destination or person (B §4, A7.3). Pure. */
import { DateTime } from 'luxon';
import {
  presetBlocks,
  weekdays,
  type HoursBlock,
  type HoursException,
  type TimeRange,
} from '#contract/routing/schedules/rules';
import { zoneName } from '#contract/zone-name';

export { companyBlocks, presetBlocks, weekdays } from '#contract/routing/schedules/rules';
export type { HoursBlock } from '#contract/routing/schedules/rules';

/**
 * Presets of B §4: 1 24/7, 2 Mon–Fri 9–5, 3 Sat–Sun 9–5, 4 custom, 5 direct voicemail, 6 the
 * company's business hours.
 */
export interface Hours {
  timezone: string;
  preset: 1 | 2 | 3 | 4 | 5 | 6;
  blocks: HoursBlock[];
  exceptions: HoursException[];
  /** True = Direct Voicemail whatever the preset; the blocks are kept (B §4). */
  voicemail: boolean;
}

export interface HoursResult {
  open: boolean;
  rule: 'direct voicemail' | 'exception' | 'block' | 'closed';
  /** Shown to users: "Open at Mon 10:00 AM Eastern Time: Mon 9:00 AM–5:00 PM." */
  because: string;
}

/** A clock time for display: "9:00 AM". A range's end of 24:00 is 12:00 AM. */
const clockText = (clock: string): string =>
  DateTime.fromObject({
    hour: Math.floor(minutesOf(clock) / 60) % 24,
    minute: minutesOf(clock) % 60,
  })
    .setLocale('en-US')
    .toFormat('h:mm a');
const exceptionName = (exception: HoursException): string => exception.label || 'a special day';

/** Minutes since midnight. */
function minutesOf(clock: string): number {
  const [hour = '0', minute = '0'] = clock.split(':');
  return Number(hour) * 60 + Number(minute);
}

/**
 * The instant (epoch ms) of a local time on a date, given as minutes past midnight. A time that
 * occurs twice means the first; a skipped one means the next minute that exists (A7.3: "a skipped
 * hour counts as closed→next minute").
 */
function instantOf(date: DateTime, minutes: number): number {
  const day = minutes >= 1440 ? date.plus({ days: 1 }) : date;
  const wanted = minutes % 1440;
  // Some zones skipped a whole day (Samoa, 2011): search two days ahead.
  for (let m = wanted; m < wanted + 2880; m += 1) {
    const on = day.plus({ days: Math.floor(m / 1440) });
    const hour = Math.floor((m % 1440) / 60);
    const shown = DateTime.fromObject(
      { year: on.year, month: on.month, day: on.day, hour, minute: m % 60 },
      { zone: date.zone },
    );
    if (shown.hour === hour && shown.minute === m % 60 && shown.day === on.day) {
      return Math.min(...shown.getPossibleOffsets().map((one) => one.toMillis()));
    }
  }
  return day.toMillis();
}

/**
 * Start and end (epoch ms) of a range on a date. A range inside a repeated hour counts once, in the
 * first pass; one that extends beyond the repeated hour is open throughout.
 */
function spanOf(date: DateTime, range: TimeRange): { start: number; end: number } {
  const from = minutesOf(range.start);
  const to = minutesOf(range.end);
  const wall = to <= from ? to + 1440 - from : to - from;
  const start = instantOf(date, from);
  const end = instantOf(date, from + wall);
  const startsTwice =
    DateTime.fromMillis(start, { zone: date.zone }).getPossibleOffsets().length > 1;
  const onceEnd = start + wall * 60_000;
  if (startsTwice && wall > 0 && onceEnd < end) {
    const lastMinute = DateTime.fromMillis(onceEnd - 60_000, { zone: date.zone });
    if (lastMinute.getPossibleOffsets().length > 1) return { start, end: onceEnd };
  }
  return { start, end };
}

/** The open ranges of a date, and the exception they come from (null = the weekly blocks). */
function rangesOn(
  hours: Hours,
  blocks: HoursBlock[],
  date: DateTime,
): { times: TimeRange[]; exception: HoursException | null } {
  const iso = date.toISODate() ?? '';
  const exception = hours.exceptions.find((one) => one.from <= iso && iso <= one.to) ?? null;
  if (exception !== null) return { times: exception.closed ? [] : exception.times, exception };
  const weekday = weekdays[date.weekday - 1];
  return {
    times: blocks
      .filter((block) => weekday !== undefined && block.days.includes(weekday))
      .flatMap((block) => block.times),
    exception: null,
  };
}

/**
 * Whether these hours are open at an instant. Exceptions override weekly blocks: on an exception's
 * date neither that weekday's blocks nor the overnight tail of the day before count (the tail of
 * another exception does).
 * @param at epoch ms
 */
export function isOpen(hours: Hours, at: number): HoursResult {
  if (hours.voicemail || hours.preset === 5)
    return { open: false, rule: 'direct voicemail', because: 'Direct Voicemail is set.' };
  const local = DateTime.fromMillis(at, { zone: hours.timezone });
  const clock = `${local.setLocale('en-US').toFormat('ccc h:mm a')} ${zoneName(hours.timezone)}`;
  const blocks = presetBlocks(hours.preset, hours.blocks);
  const today = rangesOn(hours, blocks, local.startOf('day'));
  for (const daysAgo of [0, 1]) {
    const date = local.startOf('day').minus({ days: daysAgo });
    const { times, exception } = rangesOn(hours, blocks, date);
    if (daysAgo === 1 && today.exception !== null && exception === null) continue;
    for (const range of times) {
      const { start, end } = spanOf(date, range);
      if (at < start || at >= end) continue;
      const name =
        exception === null ? date.setLocale('en-US').toFormat('ccc') : exceptionName(exception);
      return {
        open: true,
        rule: exception === null ? 'block' : 'exception',
        because: `Open at ${clock}: ${name} ${clockText(range.start)}–${clockText(range.end)}.`,
      };
    }
  }
  if (today.exception !== null)
    return {
      open: false,
      rule: 'exception',
      because: `Closed at ${clock}: ${exceptionName(today.exception)}.`,
    };
  return { open: false, rule: 'closed', because: `Closed at ${clock}.` };
}

/**
 * Whether these hours were open at any time in (from, to], epoch ms. Looks back 62 days at most.
 */
export function wasOpenBetween(hours: Hours, from: number, to: number): boolean {
  if (isOpen(hours, to).open) return true;
  const blocks = presetBlocks(hours.preset, hours.blocks);
  const first = DateTime.fromMillis(Math.max(from, to - 62 * 86_400_000), { zone: hours.timezone })
    .startOf('day')
    .minus({ days: 1 });
  for (let date = first; date.toMillis() <= to; date = date.plus({ days: 1 }))
    for (const range of rangesOn(hours, blocks, date).times) {
      const { start, end } = spanOf(date, range);
      // The first instant of the range that lies after `from`.
      const at = Math.max(start, from + 1);
      if (at < end && at <= to && isOpen(hours, at).open) return true;
    }
  return false;
}

/** How far ahead an opening is looked for, days: two weeks of vacation and a few days more. */
const openingDays = 20;

/**
 * When these hours open next, epoch ms; `at` itself while they are open. Null: not within
 * 20 days, such as for Direct Voicemail.
 */
export function opensAt(hours: Hours, at: number): number | null {
  if (isOpen(hours, at).open) return at;
  if (hours.voicemail || hours.preset === 5) return null;
  const blocks = presetBlocks(hours.preset, hours.blocks);
  const today = DateTime.fromMillis(at, { zone: hours.timezone }).startOf('day');
  for (let day = 0; day <= openingDays; day += 1) {
    const starts = rangesOn(hours, blocks, today.plus({ days: day }))
      .times.map((range) => spanOf(today.plus({ days: day }), range).start)
      .filter((start) => start > at && isOpen(hours, start).open);
    if (starts.length > 0) return Math.min(...starts);
  }
  return null;
}
