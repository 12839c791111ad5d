import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loudnessAt } from '../../../platform/audio/listen.ts';
import { readWav, writeWav } from '../../../platform/audio/wav.ts';
import { soundOfFile } from './telephone-sound.ts';

const tone = (hz: number, rate: number, seconds: number): Int16Array => Int16Array.from({ length: rate * seconds }, (_, i) => 12_000 * Math.sin((2 * Math.PI * hz * i) / rate));

test('stereo at 44.1 kHz becomes one channel at 8 kHz, in the same pitch and length', () => {
  const left = tone(440, 44_100, 2);
  const made = soundOfFile(writeWav({ sampleRate: 44_100, channels: [left, left] }));
  if ('why' in made) throw new Error(made.why);
  const heard = readWav(made.wav);
  expect(heard).toMatchObject({ sampleRate: 8000 });
  expect(heard?.channels.length).toBe(1);
  expect(made.durationMs).toBe(2000);
  expect(loudnessAt(heard!.channels[0]!, 440, 8000)).toBeGreaterThan(0.3);
});

test('a file is judged by its bytes: other kinds are named, and what to do is said', () => {
  const why = (bytes: Buffer) => { const made = soundOfFile(bytes); return 'why' in made ? made.why : 'taken'; };
  expect(why(Buffer.from('ID3\x04 the rest of a song'))).toContain('it is an MP3 file, which this server cannot decode. Send a WAV file');
  expect(why(Buffer.from([0xff, 0xfb, 0x90, 0x00, 1, 2, 3]))).toContain('MP3');
  expect(why(Buffer.from('OggS and more'))).toContain('an Ogg file');
  expect(why(Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0]))).toContain('a WebM file');
  expect(why(Buffer.from('<html>'))).toBe('it is not a WAV file with PCM sound.');
  expect(why(Buffer.alloc(0))).toBe('it is empty.');
  expect(why(writeWav({ sampleRate: 16_000, channels: [new Int16Array(20)] }))).toBe('there is no sound in it.');
  expect(why(writeWav({ sampleRate: 16_001, channels: [new Int16Array(20_000)] }))).toContain('16001 Hz');
  expect(why(writeWav({ sampleRate: 8000, channels: [new Int16Array(8000 * 601)] }))).toBe('it is longer than 10 minutes.');
});

test('no file, however broken, is more than refused', () => {
  const whole = writeWav({ sampleRate: 8000, channels: [tone(300, 8000, 1)] });
  fc.assert(fc.property(fc.nat({ max: 60 }), fc.integer({ min: 0, max: 255 }), fc.nat({ max: whole.length }), (at, value, length) => {
    const broken = Buffer.from(whole.subarray(0, length));
    if (at < broken.length) broken[at] = value;
    const made = soundOfFile(broken);
    expect('why' in made || made.durationMs > 0).toBe(true);
  }));
});
