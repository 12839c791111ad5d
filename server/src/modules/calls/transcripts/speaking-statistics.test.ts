import fc from 'fast-check';
import { expect, test } from 'vitest';
import { speakingStatistics, statisticsOf } from './speaking-statistics.ts';

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
      const s = speakingStatistics(segments, segments, 80_000);
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
  const statistics = (said: ReturnType<typeof at>[], durationMs: number) =>
    speakingStatistics(said, said, durationMs);
  expect(statistics([at(1, 0, 3000), at(2, 3000, 4000)], 8000)).toMatchObject({
    agent: { percent: 75, seconds: 3, words: 2 },
    client: { percent: 25 },
    silence_percent: 50,
    overtalk_seconds: 0,
    longest_monologue_seconds: 3,
  });
  expect(statistics([at(1, 0, 2000), at(2, 0, 2000)], 2000)).toMatchObject({
    overtalk_seconds: 2,
    silence_percent: 0,
  });
});

test('times come from voices where sides have channels of their own, words are counted beside', () => {
  const segments = [
    { speaker: 2 as const, start_ms: 0, end_ms: 9000, words: [], text: 'my sink leaks' },
  ];
  const recording = { duration_ms: 10_000, speakers: [2, 1] as const };
  const voice: [number, number][][] = [[[1000, 4000]], [[5000, 6000]]];
  expect(statisticsOf({ ...recording, voice }, segments)).toEqual({
    agent: { percent: 25, seconds: 1, words: 0 },
    client: { percent: 75, seconds: 3, words: 3 },
    silence_percent: 60,
    overtalk_seconds: 0,
    longest_monologue_seconds: 3,
    from: 'voice',
  });
  expect(statisticsOf({ ...recording, voice }, [])?.client).toMatchObject({ seconds: 3, words: 0 });
  expect(statisticsOf({ ...recording, voice: null }, segments)).toMatchObject({
    client: { seconds: 9 },
    from: 'words',
  });
  expect(statisticsOf({ ...recording, voice: null }, [])).toBeNull();
});

test('one channel of both: what a transcript tells apart counts, else only silence is known', () => {
  const mixed = {
    duration_ms: 10_000,
    speakers: [0 as const],
    voice: [[[0, 5000]]] as [number, number][][],
  };
  expect(statisticsOf(mixed, [])).toMatchObject({
    agent: { percent: 0 },
    client: { percent: 0 },
    silence_percent: 50,
    longest_monologue_seconds: 0,
    from: 'voice',
  });
  const told = [{ speaker: 1 as const, start_ms: 0, end_ms: 2000, words: [], text: 'hello' }];
  expect(statisticsOf(mixed, told)).toMatchObject({ agent: { percent: 100 }, from: 'words' });
});

test('a short “mm-hm” of the other side doesn’t end a monologue', () => {
  const voice: [number, number][][] = [
    [[5000, 5300]],
    [
      [0, 6000],
      [6500, 12_000],
    ],
  ];
  expect(
    statisticsOf({ duration_ms: 12_000, speakers: [2, 1], voice }, [])?.longest_monologue_seconds,
  ).toBe(12);
});
