import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loudnessAt, WaveformPeaks } from './loudness.ts';
import { mixDown, resample } from './resample.ts';
import { readWav, writeWav } from './wav.ts';

test('a WAV file reads back as it was written', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.integer({ min: -32768, max: 32767 }), fc.integer({ min: -32768, max: 32767 })),
        { minLength: 1, maxLength: 200 },
      ),
      (frames) => {
        const channels = [
          Int16Array.from(frames, ([l]) => l),
          Int16Array.from(frames, ([, r]) => r),
        ];
        expect(readWav(writeWav({ sampleRate: 16000, channels }))).toEqual({
          sampleRate: 16000,
          channels,
        });
      },
    ),
  );
});

test('bytes that are not a WAV file are rejected', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => readWav(bytes) === null));
});

test('a tone keeps its pitch and loudness from 22,050 to 16,000 samples a second', () => {
  const at22k = Int16Array.from(
    { length: 22050 },
    (_, i) => 10_000 * Math.sin((2 * Math.PI * 440 * i) / 22050),
  );
  const at16k = resample(at22k, 22050, 16000);
  expect(at16k.length).toBe(16000);
  expect(loudnessAt(at16k, 440, 16000)).toBeGreaterThan(0.28);
  expect(loudnessAt(at16k, 440, 16000)).toBeLessThan(0.33);
  expect(loudnessAt(at16k, 660, 16000)).toBeLessThan(0.01);
});

test('frequencies above the target rate are filtered out and do not alias', () => {
  const high = Int16Array.from(
    { length: 48000 },
    (_, i) => 10_000 * Math.sin((2 * Math.PI * 11_000 * i) / 48000),
  );
  expect(loudnessAt(resample(high, 48000, 16000), 5000, 16000)).toBeLessThan(0.01);
});

test('mixing halves each channel, so two loud ones do not clip', () => {
  expect(mixDown([Int16Array.of(30000, 0), Int16Array.of(30000, -10000)])).toEqual(
    Int16Array.of(30000, -5000),
  );
});

test('the waveform keeps its peak and a bounded length, however long the sound', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400_000 }), fc.nat(), (length, at) => {
      const sound = new Int16Array(length);
      sound[at % length] = -16384;
      const peaks = new WaveformPeaks(100);
      for (let from = 0; from < length; from += 7777) peaks.add(sound.subarray(from, from + 7777));
      const drawn = peaks.read();
      expect(drawn.length).toBeLessThanOrEqual(100);
      // The last stretch may be too short to appear.
      if (at % length < length - length / 50 - 160) expect(Math.max(...drawn)).toBe(0.5);
    }),
    { numRuns: 40 },
  );
});
