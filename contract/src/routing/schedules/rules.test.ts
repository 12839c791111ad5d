import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  canonicalZone,
  choosePreset,
  editBlocks,
  mostSpecificFirst,
  overlapIn,
  presetBlocks,
  presetOf,
  sameBlocks,
  setVoicemail,
  resolveWeek,
  usFederalHolidays,
  weekdays,
  type HoursBlock,
  type Preset,
  type TimeRange,
  type Week,
} from './rules.ts';

const clock = fc
  .integer({ min: 0, max: 95 })
  .map(
    (n) => `${String(Math.floor(n / 4)).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`,
  );
const range: fc.Arbitrary<TimeRange> = fc.record({
  start: clock,
  end: fc.oneof(clock, fc.constant('24:00')),
});
const block: fc.Arbitrary<HoursBlock> = fc.record({
  days: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
  times: fc.array(range, { minLength: 1, maxLength: 3 }),
});
const blocks = fc.array(block, { minLength: 1, maxLength: 3 });
const preset = fc.constantFrom<Preset>(1, 2, 3, 4, 5, 6);
const fresh: Week = {
  preset: 2,
  blocks: presetBlocks(2, []),
  custom_blocks: null,
  voicemail: false,
};
type Act = { choose: Preset } | { edit: HoursBlock[] } | { flag: boolean };
const act: fc.Arbitrary<Act> = fc.oneof(
  preset.map((choose) => ({ choose })),
  blocks.map((edit) => ({ edit })),
  fc.boolean().map((flag) => ({ flag })),
);
const perform = (week: Week, one: Act): Week =>
  'choose' in one
    ? choosePreset(week, one.choose)
    : 'edit' in one
      ? editBlocks(week, one.edit)
      : setVoicemail(week, one.flag);
/** Every week that changes on screen can produce. */
const lived = fc.array(act, { maxLength: 8 }).map((acts) => acts.reduce(perform, fresh));

test('presets 1, 2 and 3 show their blocks, and custom blocks return with 4', () => {
  fc.assert(
    fc.property(lived, blocks, fc.constantFrom<Preset>(1, 2, 3), (week, own, to) => {
      const custom = editBlocks(
        setVoicemail(week.preset === 5 ? choosePreset(week, 4) : week, false),
        own,
      );
      expect(custom.preset).toBe(4);
      const away = choosePreset(custom, to);
      expect(away.blocks).toEqual(presetBlocks(to, []));
      expect(away.custom_blocks).toEqual(own);
      expect(choosePreset(away, 4).blocks).toEqual(own);
    }),
  );
});

test('4 without custom blocks starts from the blocks shown', () => {
  const custom = choosePreset(fresh, 4);
  expect(custom).toMatchObject({ preset: 4, blocks: presetBlocks(2, []), voicemail: false });
  expect(
    choosePreset({ ...fresh, preset: 6 }, 4, [
      { days: ['sun'], times: [{ start: '10:00', end: '11:00' }] },
    ]).blocks,
  ).toEqual([{ days: ['sun'], times: [{ start: '10:00', end: '11:00' }] }]);
});

test('Direct Voicemail keeps every block, and leaving it clears the flag', () => {
  fc.assert(
    fc.property(lived, preset, (week, to) => {
      const direct = choosePreset(week, 5);
      expect(direct).toMatchObject({ preset: 5, voicemail: true, blocks: week.blocks });
      if (to !== 5)
        expect(choosePreset(direct, to)).toMatchObject({ preset: to, voicemail: false });
      if (week.preset === 4) expect(choosePreset(direct, 4).blocks).toEqual(week.blocks);
    }),
  );
});

test('editing under 1, 2, 3 or 6 makes it Custom; under 5 it stays Direct Voicemail', () => {
  fc.assert(
    fc.property(lived, blocks, (week, own) => {
      const edited = editBlocks(week, own);
      expect(edited.blocks).toEqual(own);
      expect(edited.preset).toBe(week.preset === 5 ? 5 : 4);
      expect(choosePreset(edited, 4).blocks).toEqual(own);
    }),
  );
});

test('a PUT of the GET response changes nothing, and a repeated PUT has no further effect', () => {
  fc.assert(
    fc.property(
      lived,
      fc.record({
        preset: fc.option(preset, { nil: undefined }),
        blocks: fc.option(blocks, { nil: undefined }),
        voicemail: fc.option(fc.boolean(), { nil: undefined }),
      }),
      (week, sent) => {
        expect(resolveWeek(week, week)).toEqual(week);
        const once = resolveWeek(week, sent);
        expect(resolveWeek(once, once)).toEqual(once);
      },
    ),
  );
});

test('a whole schedule sent by a screen is stored as shown', () => {
  fc.assert(
    fc.property(lived, fc.array(act, { maxLength: 5 }), (before, acts) => {
      const shown = acts.reduce(perform, before);
      // Leaving 5 clears the flag (A7.3); a flag sent back along with the new preset is the old
      // value.
      fc.pre(!(before.preset === 5 && shown.preset !== 5 && shown.voicemail));
      const arrived = resolveWeek(before, {
        ...shown,
        custom_blocks: shown.custom_blocks ?? undefined,
      });
      expect(arrived.preset).toBe(shown.preset);
      expect(arrived.voicemail).toBe(shown.voicemail);
      expect(sameBlocks(arrived.blocks, shown.blocks)).toBe(true);
    }),
  );
});

test('clearing the flag under preset 5 restores the preset that equals its blocks', () => {
  expect(setVoicemail(choosePreset(fresh, 5), false)).toMatchObject({
    preset: 2,
    voicemail: false,
  });
  expect(presetOf([{ days: ['sat'], times: [{ start: '09:00', end: '17:00' }] }])).toBe(4);
});

test('overlaps are found in any order and past midnight; adjacent ranges do not overlap', () => {
  // By the minute of the week, independent of the code under test.
  const minutes = (day: number, { start, end }: TimeRange): Set<number> => {
    const at = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
    const length = at(end) > at(start) ? at(end) - at(start) : at(end) + 1440 - at(start);
    return new Set(Array.from({ length }, (_, n) => (day * 1440 + at(start) + n) % (7 * 1440)));
  };
  const day = fc.integer({ min: 0, max: 6 });
  fc.assert(
    fc.property(range, range, day, day, (a, b, one, other) => {
      const first = minutes(one, a);
      const shared = [...minutes(other, b)].some((minute) => first.has(minute));
      const blocks = [
        { days: [weekdays[one]!], times: [a] },
        { days: [weekdays[other]!], times: [b] },
      ];
      expect(overlapIn(blocks) !== null).toBe(shared);
      expect(overlapIn(blocks.toReversed()) !== null).toBe(shared);
    }),
  );
  expect(
    overlapIn([
      {
        days: ['mon'],
        times: [
          { start: '09:00', end: '12:00' },
          { start: '12:00', end: '17:00' },
        ],
      },
    ]),
  ).toBeNull();
  expect(
    overlapIn([
      {
        days: ['mon'],
        times: [
          { start: '22:00', end: '02:00' },
          { start: '23:00', end: '23:30' },
        ],
      },
    ]),
  ).toEqual({ day: 'mon', block: 0, time: 1 });
  expect(
    overlapIn([
      { days: ['mon'], times: [{ start: '03:00', end: '13:00' }] },
      { days: ['sun'], times: [{ start: '22:00', end: '04:00' }] },
    ]),
  ).toEqual({ day: 'sun', block: 1, time: 0 });
});

test('time zones have one canonical name', () => {
  expect(['US/Eastern', 'america/chicago', 'UTC', 'Mars/Olympus'].map(canonicalZone)).toEqual([
    'America/New_York',
    'America/Chicago',
    'UTC',
    null,
  ]);
});

test('federal holidays of 2026 and 2027 fall on the days the government published', () => {
  const days = (year: number) => usFederalHolidays(year).map((one) => `${one.from} ${one.label}`);
  expect(days(2026)).toEqual([
    "2026-01-01 New Year's Day",
    '2026-01-19 Martin Luther King Jr. Day',
    "2026-02-16 Washington's Birthday",
    '2026-05-25 Memorial Day',
    '2026-06-19 Juneteenth',
    '2026-07-04 Independence Day',
    '2026-07-03 Independence Day (observed)',
    '2026-09-07 Labor Day',
    '2026-10-12 Columbus Day',
    '2026-11-11 Veterans Day',
    '2026-11-26 Thanksgiving Day',
    '2026-12-25 Christmas Day',
  ]);
  // 1 January 2028 is a Saturday, so its observed day is in 2027.
  expect(days(2027)).toContain("2027-12-31 New Year's Day (observed)");
  expect(days(2027)).toContain('2027-07-05 Independence Day (observed)');
  expect(days(2028)).toContain("2028-01-01 New Year's Day");
});

test('shorter exceptions take precedence', () => {
  expect(
    mostSpecificFirst([
      { from: '2026-12-20', to: '2026-12-31' },
      { from: '2026-12-24', to: '2026-12-24' },
    ]).map((one) => one.to),
  ).toEqual(['2026-12-24', '2026-12-31']);
});
