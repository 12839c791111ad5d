import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { describe, expect, test } from 'vitest';
import {
  campaignTransitions,
  campaignStates,
  editProblems,
  countedLength,
  hasLink,
  lengthProblem,
  canTransition,
  mergeTags,
  render,
  displayedSendAt,
  statusOf,
  tagsIn,
  type MergeTag,
} from '#contract/campaigns/rules';
import {
  resumesNextDay,
  isOpen,
  idempotencyKeyOf,
  mergeValues,
  nextOpening,
  parseIdempotencyKey,
  settingsOf,
  exceedsErrorRate,
  wallClock,
  zonesByState,
  zonesByZip,
  type QuietHours,
} from './rules.ts';
import { countSegments } from '../messaging/index.ts';
import { roundRobinByCompany } from './campaign-turns.ts';
import { parseFilter } from './list-campaigns.ts';

const tag = fc.constantFrom(...(Object.keys(mergeTags) as MergeTag[]));
const plainText = fc
  .string({ unit: 'grapheme-ascii', maxLength: 40 })
  .map((s) => s.replace(/[{}|]/g, ''));
const values = fc.record({
  first_name: plainText,
  last_name: plainText,
  phone: plainText,
  email: plainText,
});

describe('merge tags', () => {
  test('are replaced by their value, else their fallback, else nothing, and other text stays', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(plainText, tag, fc.option(plainText, { nil: null }))),
        values,
        (parts, v) => {
          const text = parts
            .map(
              ([before, key, fallback]) =>
                `${before}{{${key}${fallback === null ? '' : `|${fallback}`}}}`,
            )
            .join('');
          expect(render(text, v)).toBe(
            parts
              .map(([before, key, fallback]) => before + (v[key].trim() || (fallback ?? '').trim()))
              .join(''),
          );
          expect(countedLength(text)).toBe(
            parts.reduce((sum, [before]) => sum + before.length + 10, 0),
          );
          expect(tagsIn(text).unknown).toEqual([]);
        },
      ),
    );
  });
  test('tags inside values are not replaced', () =>
    expect(
      render('{{first_name}}', {
        first_name: '{{email}}',
        last_name: '',
        phone: '',
        email: 'a@b.c',
      }),
    ).toBe('{{email}}'));
  test('a first name ends at the first space', () =>
    expect(
      mergeValues({ name: ' Dana  van Reed ', number: '+12125550147', email: 'd@x.test' }),
    ).toEqual({
      first_name: 'Dana',
      last_name: 'van Reed',
      phone: '(212) 555-0147',
      email: 'd@x.test',
    }));
  test('more than 1000 characters fail, with the exact sentence', () => {
    expect(lengthProblem('x'.repeat(981), 'y'.repeat(19), false)).toBeNull();
    expect(lengthProblem('x'.repeat(982), 'y'.repeat(19), false)).toBe(
      'Max 1000 characters per SMS',
    );
    expect(lengthProblem('x'.repeat(982), 'y'.repeat(19), true)).toBe(
      'Max 1000 characters per MMS',
    );
    expect(
      lengthProblem(`{{first_name|${'z'.repeat(500)}}}${'x'.repeat(971)}`, 'y'.repeat(19), false),
    ).toBeNull();
  });
});

describe('links', () => {
  test.each([
    'https://a.b',
    'see HTTP://x.test',
    'www.acme',
    'go to acme.com now',
    'acme.co.uk/deal',
    'bit.ly/x1',
    'Visit my-shop.store!',
    'harbor-dental.test/book',
  ])('%s is a link', (text) => expect(hasLink(text)).toBe(true));
  test.each([
    'See you at 10.30',
    'Thanks.See you',
    'Dr. Reed and co. are back',
    'e.g. whitening',
    '20 % off, 3.5 stars',
    'mail me: dana@acme.com',
    '{{email}}',
    'version 2.0.1',
  ])('%s is not a link', (text) => expect(hasLink(text)).toBe(false));
});

describe('segments', () => {
  test('match the carriers’ calculator for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 500 }),
          fc.string({ unit: 'grapheme', maxLength: 200 }),
          plainText,
        ),
        (text) => {
          if (!text) return;
          const theirs = new SegmentedMessage(text);
          expect(countSegments(text)).toMatchObject({
            segments: theirs.segmentsCount,
            encoding: theirs.encodingName === 'GSM-7' ? 'GSM-7' : 'UCS-2',
          });
        },
      ),
    );
  });
  test('the character that forces UCS-2 is named', () =>
    expect(countSegments('10 % – now 😀').forcingCharacters).toEqual(['–', '😀']));
});

describe('the status of a campaign', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  test('matches the specification in every state', () => {
    const shown = (state: (typeof campaignStates)[number], at: string | null = null) =>
      statusOf(state, at, now);
    expect([
      shown('pending'),
      shown('draft'),
      shown('sending'),
      shown('paused'),
      shown('sent'),
      shown('canceled'),
      shown('failed'),
    ]).toEqual(['draft', 'draft', 'in_progress', 'paused', 'sent', 'canceled', 'failed']);
    expect([
      shown('queued'),
      shown('queued', '2026-11-21T12:00:00Z'),
      shown('queued', '2026-11-21T12:00:01Z'),
    ]).toEqual(['in_progress', 'in_progress', 'scheduled']);
    expect(displayedSendAt('draft', '2026-11-21T11:00:00Z', now)).toBeNull();
    expect(displayedSendAt('draft', '2026-11-21T13:00:00Z', now)).not.toBeNull();
    expect(displayedSendAt('sent', '2026-11-21T11:00:00Z', now)).not.toBeNull();
  });
  test('a campaign in progress can’t be deleted, and a finished one can’t change state', () => {
    expect(campaignStates.filter((s) => canTransition('delete', s))).toEqual([
      'pending',
      'draft',
      'canceled',
      'paused',
      'sent',
      'failed',
    ]);
    expect(Object.keys(editProblems).sort()).toEqual(
      campaignStates.filter((s) => !canTransition('edit', s)).sort(),
    );
    for (const ended of ['sent', 'canceled', 'failed'] as const)
      expect(
        Object.keys(campaignTransitions).filter((m) =>
          canTransition(m as keyof typeof campaignTransitions, ended),
        ),
      ).toEqual(['delete']);
  });
  test('a filter is a status by key or label, otherwise text to search for', () => {
    expect(parseFilter('In Progress')).toEqual({ status: 'in_progress', words: undefined });
    expect(parseFilter('canceled').status).toBe('canceled');
    expect(parseFilter('whitening draft')).toEqual({ status: undefined, words: 'whitening draft' });
  });
});

describe('sending hours', () => {
  const quiet = settingsOf({}).quietHours;
  const zones = [
    'America/New_York',
    'America/Los_Angeles',
    'America/Phoenix',
    'America/St_Johns',
    'Pacific/Honolulu',
  ];
  test('by default no one is texted between 21:00 and 08:00 in their time zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.date({ min: new Date('2024-01-01'), max: new Date('2028-01-01'), noInvalidDate: true }),
        (zone, at) => {
          const { minutes } = wallClock(zone, at);
          expect(isOpen(quiet, zone, at)).toBe(minutes >= 8 * 60 && minutes < 21 * 60);
          const opens = nextOpening(quiet, zone, at);
          expect(isOpen(quiet, zone, opens)).toBe(true);
          expect(opens.getTime()).toBeGreaterThanOrEqual(at.getTime());
          expect(opens.getTime() - at.getTime()).toBeLessThanOrEqual(12.1 * 3_600_000); // an hour more on the night when daylight saving time ends
          if (opens > at)
            expect(isOpen(quiet, zone, new Date(opens.getTime() - 60_000))).toBe(false);
        },
      ),
    );
  });
  test('open at the first allowed minute, across midnight, in the shortest windows and when clocks change', () => {
    const time = fc
      .nat(1439)
      .map(
        (m) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`,
      );
    // The nights when daylight saving time begins and ends.
    const near = fc
      .constantFrom('2026-03-07T12:00Z', '2026-10-31T12:00Z', '2026-11-21T12:00Z')
      .chain((from) => fc.nat(36 * 60).map((m) => new Date(Date.parse(from) + m * 60_000)));
    const firstOpen = (own: QuietHours, zone: string, from: Date) => {
      let at = from.getTime();
      while (!isOpen(own, zone, new Date(at))) at += 60_000;
      return new Date(at);
    };
    fc.assert(
      fc.property(time, time, fc.constantFrom(...zones), near, (start, end, zone, at) => {
        const own: QuietHours = { start, end, mode: 'recipient' };
        expect(nextOpening(own, zone, at)).toEqual(firstOpen(own, zone, at));
      }),
      { numRuns: 60 },
    );
    const at = (iso: string) => new Date(iso);
    // Open for one minute a day.
    expect(
      nextOpening(
        { start: '00:00', end: '23:59', mode: 'recipient' },
        zones[0]!,
        at('2026-11-21T12:00:30-05:00'),
      ),
    ).toEqual(at('2026-11-21T23:59:00-05:00'));
    // 2:30 doesn't exist that night; 3:00 is after it.
    expect(
      nextOpening(
        { start: '21:00', end: '02:30', mode: 'recipient' },
        zones[0]!,
        at('2026-03-07T22:00:00-05:00'),
      ),
    ).toEqual(at('2026-03-08T03:00:00-04:00'));
    // Open from 2:00 to 3:00 only, so not at all that night.
    expect(
      nextOpening(
        { start: '03:00', end: '02:00', mode: 'recipient' },
        zones[0]!,
        at('2026-03-08T00:00:00-05:00'),
      ),
    ).toEqual(at('2026-03-09T02:00:00-04:00'));
  });
  test('quiet hours may lie within a day or be absent', () => {
    const at = (time: string) => new Date(`2026-11-21T${time}:00-05:00`);
    const noon = { start: '12:00', end: '13:00', mode: 'recipient' } as const;
    expect([
      isOpen(noon, zones[0]!, at('11:59')),
      isOpen(noon, zones[0]!, at('12:00')),
      isOpen(noon, zones[0]!, at('13:00')),
    ]).toEqual([true, false, true]);
    expect(
      isOpen({ start: '00:00', end: '00:00', mode: 'recipient' }, zones[0]!, at('03:00')),
    ).toBe(true);
  });
  test('a text about today, tonight or tomorrow doesn’t resume the next day unless allowed to', () => {
    expect([
      resumesNextDay(null, 'Sale ends TODAY'),
      resumesNextDay(null, 'Sale'),
      resumesNextDay(true, 'tonight'),
      resumesNextDay(false, 'Sale'),
    ]).toEqual([false, true, true, false]);
  });
  test('states and ZIP codes have a time zone', () => {
    const { states, zones: of } = zonesByState();
    expect(of[states.indexOf('CA')]).toBe('America/Los_Angeles');
    expect(of[states.indexOf('AZ')]).toBe('America/Phoenix');
    const zip = zonesByZip();
    const zoneOf = (code: number) => zip.zones[zip.ends.findIndex((end) => code <= end)];
    expect([zoneOf(100), zoneOf(606), zoneOf(850), zoneOf(941), zoneOf(967)]).toEqual([
      'America/New_York',
      'America/Chicago',
      'America/Phoenix',
      'America/Los_Angeles',
      'Pacific/Honolulu',
    ]);
  });
});

test('a recipient’s key changes only with text and round, and names company and recipient', () => {
  const line = { company_id: 3, id: 77, campaign_id: 5, to_number: '+12125550147', round: 0 };
  expect(idempotencyKeyOf(line, 1)).toBe(idempotencyKeyOf({ ...line }, 1));
  expect(
    new Set([
      idempotencyKeyOf(line, 1),
      idempotencyKeyOf(line, 2),
      idempotencyKeyOf({ ...line, round: 1 }, 1),
    ]).size,
  ).toBe(3);
  expect(parseIdempotencyKey(idempotencyKeyOf(line, 1))).toEqual({ companyId: 3, id: 77 });
  expect(parseIdempotencyKey('m.3.77')).toBeNull();
});
test('failures pause a campaign only once there are enough results', () =>
  expect([
    exceedsErrorRate({ n: 49, failed: 49 }),
    exceedsErrorRate({ n: 50, failed: 15 }),
    exceedsErrorRate({ n: 50, failed: 16 }),
    exceedsErrorRate({ n: 200, failed: 61 }),
  ]).toEqual([false, false, true, true]));
test('companies take turns', () =>
  expect(
    roundRobinByCompany([
      { companyId: 1, id: 1 },
      { companyId: 1, id: 2 },
      { companyId: 1, id: 3 },
      { companyId: 2, id: 4 },
      { companyId: 3, id: 5 },
    ]).map((c) => c.id),
  ).toEqual([1, 4, 5, 2, 3]));
test('invalid settings are ignored', () =>
  expect(
    settingsOf({
      quiet_hours: { start: '9pm' },
      max_campaign_size: -1,
      recently_texted_guard_hours: 0,
    }),
  ).toMatchObject({
    quietHours: { start: '21:00', end: '08:00', mode: 'recipient' },
    maxSize: 10_000,
    recentlyTextedHours: 0,
  }));
