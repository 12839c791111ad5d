import { expect, test } from 'vitest';
import { voiceSpans, type VoiceSpan } from './voice-activity.ts';

const rate = 8000;
/** The same noise each run. */
function randomNoise(): () => number {
  let seed = 7;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 30 - 1;
  };
}
/** Ten seconds: a voice of four syllables a second in these spans, over noise of this amplitude. */
function aLine(spans: readonly VoiceSpan[], voice: number, noise: number): Int16Array {
  const random = randomNoise();
  return Int16Array.from({ length: rate * 10 }, (_, i) => {
    const ms = (i / rate) * 1000;
    const isSpeaking = spans.some(([from, to]) => ms >= from && ms < to);
    const syllable = isSpeaking ? Math.abs(Math.sin((2 * Math.PI * 2 * ms) / 1000)) : 0;
    const tone = Math.sin((2 * Math.PI * 180 * ms) / 1000) + 0.4 * random();
    return 200 + voice * syllable * tone + noise * random();
  });
}
const spoken: VoiceSpan[] = [
  [1000, 3000],
  [4000, 4500],
  [7000, 9500],
];
const close = (found: readonly VoiceSpan[], real: readonly VoiceSpan[]): void => {
  expect(found).toHaveLength(real.length);
  for (const [i, [from, to]] of real.entries()) {
    expect(Math.abs((found[i]?.[0] ?? 0) - from)).toBeLessThan(150);
    expect(Math.abs((found[i]?.[1] ?? 0) - to)).toBeLessThan(150);
  }
};

test.each([
  ['a clean line', 8000, 0],
  ['a loud voice over a hissing line', 16_000, 700],
  ['a quiet voice', 700, 5],
])('speech is found where it is: %s', (_name, voice, noise) => {
  close(voiceSpans(aLine(spoken, voice, noise), rate), spoken);
});

test.each([
  ['digital silence', () => 0],
  ['a constant offset', () => 9000],
  ['line noise', (_: number, random: () => number) => 120 * random()],
  ['loud noise', (_: number, random: () => number) => 6000 * random()],
  ['a dial tone', (i: number) => 9000 * Math.sin((2 * Math.PI * 440 * i) / rate)],
])('nothing is said in %s', (_name, sample) => {
  const random = randomNoise();
  const samples = Int16Array.from({ length: rate * 5 }, (_, i) => sample(i, random));
  expect(voiceSpans(samples, rate)).toEqual([]);
});

test('clicks are no speech, and an empty sound has none', () => {
  const clicks = Int16Array.from({ length: rate * 5 }, (_, i) =>
    i % rate < 40 ? 12_000 * (i % 2 ? 1 : -1) : 0,
  );
  expect(voiceSpans(clicks, rate)).toEqual([]);
  expect(voiceSpans(new Int16Array(0), rate)).toEqual([]);
});
