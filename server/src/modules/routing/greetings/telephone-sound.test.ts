import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loudnessAt } from '../../../platform/audio/loudness.ts';
import { readWav, writeWav } from '../../../platform/audio/wav.ts';
import { decodeSound } from './telephone-sound.ts';

const tone = (hz: number, rate: number, seconds: number): Int16Array =>
  Int16Array.from(
    { length: rate * seconds },
    (_, i) => 12_000 * Math.sin((2 * Math.PI * hz * i) / rate),
  );

test('stereo at 44.1 kHz becomes mono at 8 kHz with the same pitch and length', async () => {
  const left = tone(440, 44_100, 2);
  const made = await decodeSound(writeWav({ sampleRate: 44_100, channels: [left, left] }));
  if ('why' in made) throw new Error(made.why);
  const heard = readWav(made.wav);
  expect(heard).toMatchObject({ sampleRate: 8000 });
  expect(heard?.channels.length).toBe(1);
  expect(made.durationMs).toBe(2000);
  expect(loudnessAt(heard!.channels[0]!, 440, 8000)).toBeGreaterThan(0.3);
});

test('an MP3 file becomes mono at 8 kHz with the same pitch and length', async () => {
  const made = await decodeSound(readFileSync(join(import.meta.dirname, 'tone-440.mp3')));
  if ('why' in made) throw new Error(made.why);
  const heard = readWav(made.wav);
  expect(heard).toMatchObject({ sampleRate: 8000 });
  expect(heard?.channels.length).toBe(1);
  expect(Math.abs(made.durationMs - 1000)).toBeLessThan(100); // an encoder pads its first and last frame
  expect(loudnessAt(heard!.channels[0]!.subarray(1000, 7000), 440, 8000)).toBeGreaterThan(0.25);
});

test('the format is detected by content; unsupported ones are named with advice', async () => {
  const why = async (bytes: Buffer) => {
    const made = await decodeSound(bytes);
    return 'why' in made ? made.why : 'taken';
  };
  expect(await why(Buffer.from('ID3\x04 the rest of a song'))).toContain('without readable audio');
  expect(await why(Buffer.from([0xff, 0xfb, 0x90, 0x00, 1, 2, 3]))).toContain('MP3');
  expect(await why(Buffer.from('OggS and more'))).toContain('an Ogg file');
  expect(await why(Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0]))).toContain('a WebM file');
  expect(await why(Buffer.from('<html>'))).toBe(
    'it isn’t an MP3 file or a WAV file with PCM audio.',
  );
  expect(await why(Buffer.alloc(0))).toBe('it is empty.');
  expect(await why(writeWav({ sampleRate: 16_000, channels: [new Int16Array(20)] }))).toBe(
    'it has no audio.',
  );
  expect(await why(writeWav({ sampleRate: 16_001, channels: [new Int16Array(20_000)] }))).toContain(
    '16001 Hz',
  );
  expect(await why(writeWav({ sampleRate: 8000, channels: [new Int16Array(8000 * 601)] }))).toBe(
    'it is longer than 10 minutes.',
  );
});

test('broken files are rejected and never throw', async () => {
  const whole = writeWav({ sampleRate: 8000, channels: [tone(300, 8000, 1)] });
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 60 }),
      fc.integer({ min: 0, max: 255 }),
      fc.nat({ max: whole.length }),
      async (at, value, length) => {
        const broken = Buffer.from(whole.subarray(0, length));
        if (at < broken.length) broken[at] = value;
        const made = await decodeSound(broken);
        expect('why' in made || made.durationMs > 0).toBe(true);
      },
    ),
  );
});

test('broken MP3 files are rejected and never throw', async () => {
  const whole = readFileSync(join(import.meta.dirname, 'tone-440.mp3'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 0, max: 255 })), {
        maxLength: 20,
      }),
      fc.nat({ max: whole.length }),
      async (changes, length) => {
        const broken = Buffer.from(whole.subarray(0, length));
        for (const [at, value] of changes) if (at > 1 && at < broken.length) broken[at] = value;
        const made = await decodeSound(broken);
        expect('why' in made || made.durationMs > 0).toBe(true);
      },
    ),
    { numRuns: 40 },
  );
});
