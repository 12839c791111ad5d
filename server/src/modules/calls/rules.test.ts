import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  billableMinutes,
  isEmergency,
  presenceState,
  speakersOf,
  speakingStatistics,
} from './rules.ts';

const segment = fc
  .record({
    speaker: fc.constantFrom(0 as const, 1 as const, 2 as const),
    start: fc.nat(60_000),
    length: fc.integer({ min: 1, max: 20_000 }),
  })
  .map(({ speaker, start, length }) => ({
    speaker,
    start_ms: start,
    end_ms: start + length,
    words: [],
    text: 'so and so',
  }));

test('talk shares sum to 100 without silence; no value is negative or exceeds the call', () => {
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 12 }), (segments) => {
      const s = speakingStatistics(segments, 80_000);
      const spoke = segments.some((x) => x.speaker !== 0);
      expect(s.agent.percent + s.client.percent).toBe(spoke ? 100 : 0);
      for (const n of [
        s.agent.seconds,
        s.client.seconds,
        s.silence_percent,
        s.overtalk_seconds,
        s.longest_monologue_seconds,
      ])
        expect(n).toBeGreaterThanOrEqual(0);
      expect(s.silence_percent).toBeLessThanOrEqual(100);
      expect(s.agent.seconds).toBeLessThanOrEqual(80);
      expect(s.overtalk_seconds).toBeLessThanOrEqual(
        Math.min(s.agent.seconds, s.client.seconds) + 0.1,
      );
    }),
  );
});

test('overtalk is zero when sides alternate and everything when they talk at once', () => {
  const at = (speaker: 1 | 2, start_ms: number, end_ms: number) => ({
    speaker,
    start_ms,
    end_ms,
    words: [],
    text: 'word word',
  });
  expect(speakingStatistics([at(1, 0, 3000), at(2, 3000, 4000)], 8000)).toMatchObject({
    agent: { percent: 75, seconds: 3, words: 2 },
    client: { percent: 25 },
    silence_percent: 50,
    overtalk_seconds: 0,
    longest_monologue_seconds: 3,
  });
  expect(speakingStatistics([at(1, 0, 2000), at(2, 0, 2000)], 2000)).toMatchObject({
    overtalk_seconds: 2,
    silence_percent: 0,
  });
});

test('recognizes emergency numbers however formatted', () => {
  for (const dialled of ['911', '9-1-1', ' 911 ', '112', '933'])
    expect(isEmergency(dialled)).toBe(true);
  for (const dialled of ['+19115550147', '9112', '211']) expect(isEmergency(dialled)).toBe(false);
});

test('presence is active only with a device, when wanted and not on a call', () => {
  const there = { set_up: true, wish: 'active' as const, on_call: false, devices: [1] };
  expect(presenceState(there)).toBe('active');
  expect(presenceState({ ...there, devices: [] })).toBe('offline');
  expect(presenceState({ ...there, set_up: false })).toBe('offline');
  expect(presenceState({ ...there, on_call: true })).toBe('on_call');
  expect(presenceState({ ...there, wish: 'away' })).toBe('away');
});

test('bills full minutes from the answer; the first leg is the first channel', () => {
  expect(
    billableMinutes({ outcome: 1, talk_seconds: 61, duration_seconds: 90, ring_seconds: 20 }),
  ).toBe(2);
  expect(
    billableMinutes({ outcome: 3, talk_seconds: 0, duration_seconds: 50, ring_seconds: 20 }),
  ).toBe(1);
  expect(
    billableMinutes({ outcome: 2, talk_seconds: 0, duration_seconds: 50, ring_seconds: 50 }),
  ).toBe(0);
  expect(speakersOf({ kind: 'inbound' }, 'call', 2)).toEqual([2, 1]);
  expect(speakersOf({ kind: 'outbound' }, 'call', 2)).toEqual([1, 2]);
  expect(speakersOf({ kind: 'inbound' }, 'voicemail', 1)).toEqual([2]);
  expect(speakersOf({ kind: 'inbound' }, 'call', 1)).toEqual([0]);
});
