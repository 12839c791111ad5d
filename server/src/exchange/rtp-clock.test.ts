import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RtpClock } from './rtp-clock.ts';

const gap = (a: { timestamp: number }, b: { timestamp: number }): number =>
  (b.timestamp - a.timestamp + 0x1_0000_0000) % 0x1_0000_0000;
const step = (a: { sequenceNumber: number }, b: { sequenceNumber: number }): number =>
  (b.sequenceNumber - a.sequenceNumber + 65536) % 65536;

test('timestamps follow the wall clock across source changes and silence and never go back', () => {
  const change = fc.record({
    source: fc.nat(3),
    pauseMs: fc.nat(5000),
    packets: fc.integer({ min: 1, max: 40 }),
    sequence: fc.nat(65535),
    timestamp: fc.nat(0xffff_ffff),
  });
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 12 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (changes, seed) => {
        const clock = new RtpClock(() => seed);
        let nowMs = 1000;
        let first: ReturnType<RtpClock['stamp']> | null = null;
        let before: ReturnType<RtpClock['stamp']> | null = null;
        for (const [index, run] of changes.entries()) {
          for (let i = 0; i < run.packets; i++) {
            const stamp = clock.stamp(
              `${index} ${run.source}`,
              (run.sequence + i) % 65536,
              (run.timestamp + i * 960) % 0x1_0000_0000,
              nowMs,
            );
            if (first && before) {
              expect(step(before, stamp)).toBe(1);
              expect(gap(before, stamp)).toBeGreaterThanOrEqual(960);
              // At most one frame ahead for each change of source in quick succession, never
              // behind.
              expect(gap(first, stamp) - (nowMs - 1000) * 48).toBeGreaterThanOrEqual(-960);
              expect(gap(first, stamp) - (nowMs - 1000) * 48).toBeLessThanOrEqual(
                960 * changes.length,
              );
            }
            first ??= stamp;
            before = stamp;
            nowMs += 20;
          }
          nowMs += run.pauseMs;
        }
      },
    ),
  );
});

test('a lost inbound packet leaves a gap in the outbound stream', () => {
  const clock = new RtpClock();
  const one = clock.stamp('mic', 10, 0, 0);
  const three = clock.stamp('mic', 12, 1920, 40);
  expect(step(one, three)).toBe(2);
  expect(gap(one, three)).toBe(1920);
});

test('a late packet keeps its sequence number', () => {
  const clock = new RtpClock();
  const one = clock.stamp('mic', 10, 0, 0);
  clock.stamp('mic', 12, 1920, 40);
  const two = clock.stamp('mic', 11, 960, 41);
  expect(step(one, two)).toBe(1);
  expect(gap(one, two)).toBe(960);
});
