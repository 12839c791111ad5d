export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';

export const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

export const weekdayNames: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** `HH:MM` local wall clock. `end` may be `24:00`; end ≤ start crosses midnight. */
export interface TimeRange {
  start: string;
  end: string;
}

export interface HoursBlock {
  days: Weekday[];
  times: TimeRange[];
}

/** A date (`2026-12-25`, or a range including `to`) that overrides the weekly blocks. */
export interface HoursException {
  from: string;
  to: string;
  label: string;
  closed: boolean;
  times: TimeRange[];
}

export type Preset = 1 | 2 | 3 | 4 | 5 | 6;

/** The part of a schedule that presets change. */
export interface Week {
  preset: Preset;
  blocks: HoursBlock[];
  /** Custom blocks to return to; null: none so far. While the preset is 4 they equal `blocks`. */
  custom_blocks: HoursBlock[] | null;
  /** Direct Voicemail, whatever the preset; the blocks are kept. */
  voicemail: boolean;
}

export const allDay: TimeRange = { start: '00:00', end: '24:00' };

const nineToFive: TimeRange[] = [{ start: '09:00', end: '17:00' }];

/** The blocks of a preset (A7.3); 4, 5 and 6 keep the given ones. */
export function presetBlocks(preset: Preset, own: HoursBlock[]): HoursBlock[] {
  if (preset === 1) return [{ days: [...weekdays], times: [allDay] }];
  if (preset === 2) return [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], times: nineToFive }];
  if (preset === 3) return [{ days: ['sat', 'sun'], times: nineToFive }];
  return own;
}

/** Opening and closing time per weekday (B §3); null: closed. */
export type CompanyHours = Partial<Record<`${Weekday}_${'open' | 'close'}_hour`, string | null>>;

/** Business hours of a company without its own: Monday to Friday, nine to five (preset 2). */
export const defaultHours: CompanyHours = /* @__PURE__ */ Object.fromEntries(
  weekdays.flatMap((day): [string, string | null][] => {
    const closed = day === 'sat' || day === 'sun';
    return [
      [`${day}_open_hour`, closed ? null : '09:00'],
      [`${day}_close_hour`, closed ? null : '17:00'],
    ];
  }),
);

/** The company's opening hours in the shape of a schedule; days without both ends are closed. */
export function companyBlocks(hours: CompanyHours): HoursBlock[] {
  return weekdays.flatMap((day) => {
    const start = hours[`${day}_open_hour`] ?? null;
    const end = hours[`${day}_close_hour`] ?? null;
    return start === null || end === null ? [] : [{ days: [day], times: [{ start, end }] }];
  });
}

/**
 * Whether two sets of hours mean the same, whatever the order of their days and times. Null stands
 * for no hours.
 */
export const sameBlocks = (
  a: readonly HoursBlock[] | null,
  b: readonly HoursBlock[] | null,
): boolean => JSON.stringify(tidy(a)) === JSON.stringify(tidy(b));

const tidy = (blocks: readonly HoursBlock[] | null) =>
  blocks?.map((one) => [
    weekdays.filter((day) => one.days.includes(day)),
    one.times.map((time) => [time.start, time.end]),
  ]) ?? null;

/** The preset that these blocks equal, 4 when none. */
export const presetOf = (blocks: HoursBlock[]): Preset =>
  ([1, 2, 3] as const).find((preset) => sameBlocks(presetBlocks(preset, []), blocks)) ?? 4;

/**
 * Changes the preset by A7.3's table of transitions. `shown`: what 4 starts from when there are no
 * custom blocks yet (under 6, the company's).
 */
export function choosePreset<W extends Week>(
  week: W,
  preset: Preset,
  shown: HoursBlock[] = week.blocks,
): W {
  const custom_blocks = week.preset === 4 ? week.blocks : week.custom_blocks;
  if (preset === 5) return { ...week, custom_blocks, preset: 5, voicemail: true };
  const open = { ...week, custom_blocks, preset, voicemail: false };
  if (preset === 6) return open;
  if (preset !== 4) return { ...open, blocks: presetBlocks(preset, []) };
  const blocks = custom_blocks ?? shown;
  return { ...open, blocks, custom_blocks: blocks };
}

/**
 * Sets custom blocks: the preset becomes Custom from 1, 2, 3 and 6; under 5 they are stored but
 * inactive.
 */
export function editBlocks<W extends Week>(week: W, blocks: HoursBlock[]): W {
  return { ...week, blocks, custom_blocks: blocks, preset: week.preset === 5 ? 5 : 4 };
}

/**
 * Sets only the voicemail flag. When it is removed from preset 5, the preset that equals the blocks
 * is restored.
 */
export function setVoicemail<W extends Week>(week: W, voicemail: boolean): W {
  if (voicemail || week.preset !== 5) return { ...week, voicemail };
  return { ...week, voicemail, preset: presetOf(week.blocks) };
}

type WeekInput = { [K in keyof Week]?: Week[K] | undefined };

/**
 * Applies a PUT to the stored week by the same transitions. Absent fields, and those sent back
 * unchanged, are kept.
 */
export function resolveWeek<W extends Week>(
  before: W,
  sent: WeekInput,
  shown: HoursBlock[] = before.blocks,
): W {
  let week =
    sent.custom_blocks === undefined || before.preset === 4
      ? before
      : { ...before, custom_blocks: sent.custom_blocks };
  const edited = sent.blocks !== undefined && !sameBlocks(sent.blocks, before.blocks);
  if (sent.preset !== undefined && sent.preset !== before.preset)
    week = choosePreset(week, sent.preset, shown);
  if (edited && sent.blocks !== undefined && !sameBlocks(sent.blocks, week.blocks)) {
    // With preset 6 given explicitly, custom blocks are stored but not applied.
    week =
      sent.preset === 6
        ? { ...week, blocks: sent.blocks, custom_blocks: sent.blocks }
        : editBlocks(week, sent.blocks);
  }
  // Entering and leaving preset 5 set the flag, whatever old value is sent along.
  const turned =
    sent.preset !== undefined &&
    sent.preset !== before.preset &&
    (sent.preset === 5 || before.preset === 5);
  if (sent.voicemail !== undefined && !turned) week = setVoicemail(week, sent.voicemail);
  return week;
}

const minutesOf = (clock: string): number =>
  Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

const spanOf = ({ start, end }: TimeRange): { from: number; to: number } => {
  const from = minutesOf(start);
  return { from, to: minutesOf(end) <= from ? minutesOf(end) + 1440 : minutesOf(end) };
};

const weekMinutes = 7 * 1440;

/**
 * Index of the first range that overlaps an earlier one; null: none. A range past midnight
 * continues on the next day (A7.3).
 */
export function overlapIn(
  blocks: readonly { days: readonly Weekday[]; times: readonly TimeRange[] }[],
): { day: Weekday; block: number; time: number } | null {
  const taken: { from: number; to: number }[] = [];
  for (const [block, { days, times }] of blocks.entries()) {
    for (const [time, range] of times.entries()) {
      for (const day of days) {
        const { from, to } = spanOf(range);
        const start = weekdays.indexOf(day) * 1440;
        const span = { from: start + from, to: start + to };
        // Sunday night continues on Monday, so ranges are also compared a week earlier and later.
        const clash = taken.some((other) =>
          [-weekMinutes, 0, weekMinutes].some(
            (shift) => other.from + shift < span.to && span.from < other.to + shift,
          ),
        );
        if (clash) return { day, block, time };
        taken.push(span);
      }
    }
  }
  return null;
}

/** Canonical name of a time zone (`US/Eastern` is `America/New_York`, A29); null: unknown. */
export function canonicalZone(zone: string): string | null {
  // Intl accepts offsets such as +05:00, which have no daylight saving time.
  if (!/^[A-Za-z]/.test(zone)) return null;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Sorts shorter exceptions first, so that a half day inside a closed week stays a half day. */
export const mostSpecificFirst = <E extends Pick<HoursException, 'from' | 'to'>>(
  exceptions: readonly E[],
): E[] => exceptions.toSorted((a, b) => daysOf(a) - daysOf(b) || a.from.localeCompare(b.from));

const daysOf = ({ from, to }: Pick<HoursException, 'from' | 'to'>): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000;

const iso = (date: Date): string => date.toISOString().slice(0, 10);

const utc = (year: number, month: number, day: number): Date =>
  new Date(Date.UTC(year, month - 1, day));

/** The nth weekday (1 Monday … 7 Sunday) of a month; n = -1 is the last. */
function nth(year: number, month: number, weekday: number, n: number): Date {
  if (n > 0) {
    const first = utc(year, month, 1);
    return utc(year, month, 1 + ((weekday - (first.getUTCDay() || 7) + 7) % 7) + (n - 1) * 7);
  }
  const last = utc(year, month + 1, 0);
  return utc(year, month, last.getUTCDate() - (((last.getUTCDay() || 7) - weekday + 7) % 7));
}

/**
 * The US federal holidays of a year (5 U.S.C. 6103). One on a weekend has two entries, the day
 * itself and the observed Friday or Monday, as a company may be open on either.
 */
export function usFederalHolidays(year: number): HoursException[] {
  const fixed: [string, Date][] = [
    ["New Year's Day", utc(year, 1, 1)],
    ['Martin Luther King Jr. Day', nth(year, 1, 1, 3)],
    ["Washington's Birthday", nth(year, 2, 1, 3)],
    ['Memorial Day', nth(year, 5, 1, -1)],
    ['Juneteenth', utc(year, 6, 19)],
    ['Independence Day', utc(year, 7, 4)],
    ['Labor Day', nth(year, 9, 1, 1)],
    ['Columbus Day', nth(year, 10, 1, 2)],
    ['Veterans Day', utc(year, 11, 11)],
    ['Thanksgiving Day', nth(year, 11, 4, 4)],
    ['Christmas Day', utc(year, 12, 25)],
    ["New Year's Day", utc(year + 1, 1, 1)],
  ];
  return fixed
    .flatMap(([label, on]) => {
      const away = on.getUTCDay() === 6 ? -1 : on.getUTCDay() === 0 ? 1 : 0;
      const observed = new Date(on.getTime() + away * 86_400_000);
      return [
        { label, on },
        ...(away === 0 ? [] : [{ label: `${label} (observed)`, on: observed }]),
      ];
    })
    .filter(({ on }) => on.getUTCFullYear() === year)
    .map(({ label, on }) => ({ from: iso(on), to: iso(on), label, closed: true, times: [] }));
}
