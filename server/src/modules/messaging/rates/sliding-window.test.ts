import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  pacedAllowance,
  pacingIntervalMs,
  slotSpacingMs,
  reserveSlot,
  tryConsume,
  windowMs,
  type Recent,
} from './sliding-window.ts';

/** Asks again whenever the wait is over; returns what was sent when. */
function send(
  limit: number,
  texts: readonly { after: number; n: number }[],
): { at: number; n: number }[] {
  const sent: { at: number; n: number }[] = [];
  let recent: Recent = [];
  let now = 1_700_000_000_000;
  for (const { after, n } of texts) {
    now += after;
    for (let tries = 0; ; tries++) {
      expect(tries).toBeLessThan(300); // guards against an endless wait
      const answer = tryConsume(recent, limit, n, now);
      recent = answer.recent;
      if (answer.waitMs === 0) break;
      now += answer.waitMs;
    }
    sent.push({ at: now, n });
  }
  return sent;
}
/** The most segments in any second that begins with a text. */
const busiestSecond = (sent: readonly { at: number; n: number }[]) =>
  Math.max(
    ...sent.map(({ at }) =>
      sent.filter((s) => s.at >= at && s.at < at + 1000).reduce((sum, s) => sum + s.n, 0),
    ),
  );

test('no second has more than the limit, in any order of arrivals', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.array(
        fc.record({
          after: fc.oneof(
            fc.constant(0),
            fc.double({ min: 0, max: 40, noNaN: true }),
            fc.integer({ min: 0, max: 3000 }),
          ),
          n: fc.integer({ min: 1, max: 5 }),
        }),
        { minLength: 1, maxLength: 200 },
      ),
      (limit, texts) => {
        const fitting = texts.map((text) => ({ ...text, n: Math.min(text.n, limit) }));
        expect(busiestSecond(send(limit, fitting))).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 200 },
  );
});

test('a registration that always has texts to send uses 0.97 to 1.00 of its limit', () => {
  for (const limit of [1, 3, 4, 12, 40, 75, 120, 225]) {
    const texts = limit * 30;
    const sent = send(
      limit,
      Array.from({ length: texts }, () => ({ after: 0, n: 1 })),
    );
    const seconds = (sent.at(-1)!.at - sent[0]!.at) / 1000;
    const used = (texts - limit) / seconds / limit; // the first window is full at once
    expect(used, `limit ${limit}`).toBeGreaterThanOrEqual(0.97);
    expect(used, `limit ${limit}`).toBeLessThanOrEqual(1);
  }
});

test('a text longer than the limit is sent, and the next waits until its segments left the window', () => {
  const [first, second] = send(3, [
    { after: 0, n: 10 },
    { after: 0, n: 1 },
  ]);
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(3 * windowMs);
});

test('slots are reserved one after the other at the pace of the limit, never before there is room', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 50 }),
      (limit, sizes) => {
        let reservedUntil: number | null = null;
        let before = 0;
        for (const n of sizes) {
          const given = reserveSlot(reservedUntil, limit, n, 1000, 400);
          expect(given.slotMs).toBeGreaterThanOrEqual(1400);
          if (reservedUntil !== null) expect(given.slotMs).toBe(before);
          before = given.promisedMs;
          reservedUntil = given.promisedMs;
          expect(given.promisedMs - given.slotMs).toBeCloseTo((n * slotSpacingMs) / limit, 3);
        }
      },
    ),
  );
});

/** Sends as campaigns do, at an even pace, each check late by so many ms. */
function sendMany(limit: number, lateness: readonly number[]): { at: number; n: number }[] {
  const sent: { at: number; n: number }[] = [];
  let recent: Recent = [];
  let now = 1_700_000_000_000;
  for (const late of lateness) {
    const kept = recent.filter(([at]) => at > now - windowMs);
    const left = limit - kept.reduce((sum, [, n]) => sum + n, 0);
    const n = Math.min(left, pacedAllowance(kept, limit, now));
    if (n > 0) {
      recent = tryConsume(recent, limit, n, now).recent;
      sent.push({ at: now, n });
    }
    now +=
      late +
      (n > 0
        ? pacingIntervalMs
        : left > 0
          ? pacingIntervalMs / 2
          : Math.max(1, kept[0]![0] + windowMs - now));
  }
  return sent;
}
test('bulk sending is paced in batches of under a third of a second, within the limit', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 225 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 30, maxLength: 150 }),
      (limit, lateness) => {
        const sent = sendMany(limit, lateness);
        expect(busiestSecond(sent)).toBeLessThanOrEqual(limit);
        expect(Math.max(...sent.map((s) => s.n))).toBeLessThanOrEqual(Math.ceil(limit * 0.3));
      },
    ),
    { numRuns: 200 },
  );
});
test('bulk sending uses 0.97 to 1.00 of the limit', () => {
  for (const limit of [1, 3, 4, 12, 40, 75, 120, 225]) {
    const sent = sendMany(
      limit,
      Array.from({ length: 300 }, () => 0),
    );
    const used =
      sent.slice(0, -1).reduce((sum, s) => sum + s.n, 0) /
      ((sent.at(-1)!.at - sent[0]!.at) / 1000) /
      limit;
    expect(used, `limit ${limit}`).toBeGreaterThanOrEqual(0.97);
    expect(used, `limit ${limit}`).toBeLessThanOrEqual(1.01);
  }
});
