import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { companyBlocks, isOpen, opensAt, presetBlocks, weekdays, type Hours } from './hours.ts';

const hours = (more: Partial<Hours> = {}): Hours => ({
  timezone: 'America/New_York',
  preset: 4,
  blocks: [],
  exceptions: [],
  voicemail: false,
  ...more,
});
const at = (local: string, zone = 'America/New_York') =>
  DateTime.fromISO(local, { zone }).toMillis();
const open = (when: string, of: Hours) => isOpen(of, at(when, of.timezone)).open;

describe('presets (B §4)', () => {
  it('1 is always open; 5 and the voicemail flag are never open', () => {
    expect(open('2026-11-21T03:00', hours({ preset: 1 }))).toBe(true);
    expect(isOpen(hours({ preset: 5 }), at('2026-11-18T12:00'))).toMatchObject({
      open: false,
      rule: 'direct voicemail',
    });
    expect(isOpen(hours({ preset: 1, voicemail: true }), at('2026-11-18T12:00')).rule).toBe(
      'direct voicemail',
    );
  });

  it('2 is open Monday to Friday, 9 to 5, to the minute', () => {
    const office = hours({ preset: 2 });
    expect([
      open('2026-11-18T08:59', office),
      open('2026-11-18T09:00', office),
      open('2026-11-18T16:59', office),
      open('2026-11-18T17:00', office),
      open('2026-11-21T12:00', office),
    ]).toEqual([false, true, true, false, false]);
  });

  it('3 is open on weekends', () => {
    expect([
      open('2026-11-20T12:00', hours({ preset: 3 })),
      open('2026-11-21T12:00', hours({ preset: 3 })),
    ]).toEqual([false, true]);
  });

  it('6 follows the company’s hours; null is closed, 00:00–24:00 is all day', () => {
    const blocks = companyBlocks({
      mon_open_hour: '10:00',
      mon_close_hour: '14:00',
      tue_open_hour: '00:00',
      tue_close_hour: '24:00',
      wed_open_hour: null,
      wed_close_hour: '12:00',
    });
    const company = hours({ preset: 6, blocks });
    expect([
      open('2026-11-16T10:00', company),
      open('2026-11-16T14:00', company),
      open('2026-11-17T00:00', company),
      open('2026-11-17T23:59', company),
      open('2026-11-18T11:00', company),
    ]).toEqual([true, false, true, true, false]);
  });
});

describe('midnight and exceptions (A7.3)', () => {
  const night = hours({ blocks: [{ days: ['fri'], times: [{ start: '22:00', end: '02:00' }] }] });

  it('an end at or before the start crosses midnight', () => {
    expect([
      open('2026-11-20T21:59', night),
      open('2026-11-20T22:00', night),
      open('2026-11-21T01:59', night),
      open('2026-11-21T02:00', night),
      open('2026-11-20T01:00', night),
    ]).toEqual([false, true, true, false, false]);
  });

  it('an exception overrides the weekday and the overnight tail of the day before', () => {
    const closed = {
      ...night,
      exceptions: [
        { from: '2026-11-21', to: '2026-11-22', label: 'Inventory', closed: true, times: [] },
      ],
    };
    expect([open('2026-11-20T23:00', closed), open('2026-11-21T01:00', closed)]).toEqual([
      true,
      false,
    ]);
    expect(isOpen(closed, at('2026-11-21T01:00')).because).toContain('Inventory');
    const short = hours({
      preset: 2,
      exceptions: [
        {
          from: '2026-12-24',
          to: '2026-12-24',
          label: 'Christmas Eve',
          closed: false,
          times: [{ start: '09:00', end: '12:00' }],
        },
      ],
    });
    expect([open('2026-12-24T11:00', short), open('2026-12-24T13:00', short)]).toEqual([
      true,
      false,
    ]);
  });
});

describe('daylight saving (A7.3)', () => {
  // New York: 2026-03-08 02:00 → 03:00, 2026-11-01 02:00 → 01:00.
  const daily = (start: string, end: string) =>
    hours({ blocks: [{ days: [...weekdays], times: [{ start, end }] }] });

  it('an opening in the skipped hour moves to the next existing minute', () => {
    const shop = daily('02:30', '09:00');
    expect(isOpen(shop, at('2026-03-08T01:59')).open).toBe(false);
    expect(isOpen(shop, at('2026-03-08T03:00')).open).toBe(true);
  });

  it('a range inside the skipped hour never opens', () => {
    const shop = daily('02:10', '02:50');
    for (const minute of [-1, 0, 1, 30, 59])
      expect(isOpen(shop, at('2026-03-08T03:00') + minute * 60_000).open).toBe(false);
  });

  it('a range inside the repeated hour counts once', () => {
    const first = Date.UTC(2026, 10, 1, 5, 0);
    const openMinutes = (of: Hours) =>
      Array.from({ length: 180 }, (_, i) => isOpen(of, first + (i - 30) * 60_000).open).filter(
        Boolean,
      ).length;
    expect(openMinutes(daily('01:00', '02:00'))).toBe(60);
    expect(openMinutes(daily('01:15', '01:45'))).toBe(30);
  });

  it('opens and closes once around the repeated hour; all-day hours never close', () => {
    const second = Date.UTC(2026, 10, 1, 6, 0);
    expect(isOpen(daily('01:30', '09:00'), second + 10 * 60_000).open).toBe(true);
    expect(isOpen(daily('22:00', '01:30'), second + 10 * 60_000).open).toBe(false);
    expect(isOpen(hours({ preset: 1 }), second + 10 * 60_000).open).toBe(true);
  });
});

describe('in every time zone', () => {
  const zones = fc.constantFrom(
    'UTC',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Casablanca',
    'America/St_Johns',
    'Pacific/Apia',
    'Europe/Dublin',
    'America/Sao_Paulo',
  );
  const clock = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 45))
    .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`);
  const instant = fc.integer({ min: Date.UTC(2010, 0, 1), max: Date.UTC(2035, 0, 1) });

  it('24/7 is open at any instant', () => {
    fc.assert(
      fc.property(zones, instant, (timezone, when) => {
        expect(isOpen(hours({ timezone, preset: 1 }), when).open).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('follows the wall clock away from clock changes', () => {
    fc.assert(
      fc.property(zones, instant, clock, clock, (timezone, when, start, end) => {
        const local = DateTime.fromMillis(when, { zone: timezone });
        fc.pre([-2, -1, 1, 2].every((days) => local.plus({ days }).offset === local.offset));
        const shown = local.toFormat('HH:mm');
        const expected =
          start < end ? start <= shown && shown < end : shown >= start || shown < end;
        expect(
          isOpen(
            hours({ timezone, blocks: [{ days: [...weekdays], times: [{ start, end }] }] }),
            when,
          ).open,
        ).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('opens at most once a day, clock changes or not', () => {
    fc.assert(
      fc.property(zones, instant, clock, clock, (timezone, when, start, end) => {
        fc.pre(start < end);
        const of = hours({ timezone, blocks: [{ days: ['sun'], times: [{ start, end }] }] });
        const sunday = DateTime.fromMillis(when, { zone: timezone })
          .startOf('week')
          .minus({ days: 1 });
        let openings = 0;
        let was = false;
        for (
          let t = sunday.toMillis() - 3_600_000;
          t < sunday.plus({ days: 1 }).toMillis() + 3_600_000;
          t += 900_000
        ) {
          const is = isOpen(of, t).open;
          if (is && !was) openings += 1;
          was = is;
        }
        expect(openings).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60 },
    );
  });

  it('presets replace blocks, 4 and 6 keep them', () => {
    const own = [{ days: ['tue' as const], times: [{ start: '08:00', end: '09:00' }] }];
    expect([presetBlocks(4, own), presetBlocks(6, own)]).toEqual([own, own]);
    expect(presetBlocks(2, own)[0]?.days).toHaveLength(5);
  });
});

describe('opensAt', () => {
  const next = (when: string, of: Hours) => {
    const found = opensAt(of, at(when, of.timezone));
    return found === null
      ? null
      : DateTime.fromMillis(found, { zone: of.timezone }).toFormat("yyyy-MM-dd'T'HH:mm");
  };

  it('is now while open, the next weekday’s opening after that, and skips a closed date', () => {
    const office = hours({ preset: 2 });
    expect(next('2026-11-18T12:00', office)).toBe('2026-11-18T12:00');
    expect(next('2026-11-18T08:00', office)).toBe('2026-11-18T09:00');
    expect(next('2026-11-20T17:00', office)).toBe('2026-11-23T09:00');
    const closed = [{ from: '2026-11-23', to: '2026-11-24', label: '', closed: true, times: [] }];
    expect(next('2026-11-20T17:00', { ...office, exceptions: closed })).toBe('2026-11-25T09:00');
  });

  it('follows hours past midnight, and clocks that change', () => {
    const night = hours({
      blocks: [{ days: ['sat'], times: [{ start: '22:00', end: '02:30' }] }],
    });
    expect(next('2026-11-22T01:00', night)).toBe('2026-11-22T01:00');
    expect(next('2026-11-22T02:30', night)).toBe('2026-11-28T22:00');
    const early = hours({ blocks: [{ days: ['sun'], times: [{ start: '02:30', end: '06:00' }] }] });
    // On March 8, 2026, there is no 2:30 AM in New York.
    expect(next('2026-03-08T01:00', early)).toBe('2026-03-08T03:00');
    // On November 1, 1:30 AM happens twice: the first time counts.
    const fall = hours({ blocks: [{ days: ['sun'], times: [{ start: '01:30', end: '06:00' }] }] });
    expect(opensAt(fall, at('2026-11-01T00:00'))).toBe(Date.parse('2026-11-01T05:30:00Z'));
  });

  it('is never for Direct Voicemail, without hours, and beyond a long vacation', () => {
    expect(next('2026-11-18T12:00', hours({ preset: 5 }))).toBeNull();
    expect(next('2026-11-18T12:00', hours())).toBeNull();
    const away = [{ from: '2026-11-18', to: '2026-12-24', label: '', closed: true, times: [] }];
    expect(next('2026-11-18T12:00', hours({ preset: 2, exceptions: away }))).toBeNull();
  });
});
