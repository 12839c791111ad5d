import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encode } from '../../../platform/audio/g711.ts';
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
    'it isn’t an MP3 file or a WAV file with PCM, float, µ-law or A-law audio.',
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

/** A WAV file of one second of a tone, in any form that its header can say. */
function wavOf(form: {
  kind: number;
  bits: number;
  container?: 'RIFF' | 'RF64' | 'RIFX';
  isExtensible?: boolean;
  rate?: number;
  write: (data: Buffer, value: number, at: number, isLittle: boolean) => void;
}): Buffer {
  const { kind, bits, container = 'RIFF', isExtensible = false, rate = 8000, write } = form;
  const isLittle = container !== 'RIFX';
  const bytes = (size: number, value: number) => {
    const field = Buffer.alloc(size);
    if (isLittle) field.writeUIntLE(value, 0, size);
    else field.writeUIntBE(value, 0, size);
    return field;
  };
  const chunk = (name: string, body: Buffer, size = body.length) =>
    Buffer.concat([Buffer.from(name), bytes(4, size), body]);
  const width = bits / 8;
  const data = Buffer.alloc(rate * width);
  tone(440, rate, 1).forEach((value, i) => write(data, value, i * width, isLittle));
  const guid = Buffer.from('000000001000800000aa00389b71', 'hex');
  const format = Buffer.concat([
    bytes(2, isExtensible ? 0xfffe : kind),
    bytes(2, 1),
    bytes(4, rate),
    bytes(4, rate * width),
    bytes(2, width),
    bytes(2, bits),
    ...(isExtensible ? [bytes(2, 22), bytes(2, bits), bytes(4, 4), bytes(2, kind), guid] : []),
  ]);
  const is64 = container === 'RF64';
  return Buffer.concat([
    Buffer.from(container),
    bytes(4, is64 ? 0xffffffff : 36 + data.length),
    Buffer.from('WAVE'),
    ...(is64 ? [chunk('ds64', Buffer.alloc(28))] : []),
    chunk('fmt ', format),
    ...(kind === 1 ? [] : [chunk('fact', bytes(4, rate))]),
    chunk('data', data, is64 ? 0xffffffff : data.length),
  ]);
}
const as = {
  muLaw: (data: Buffer, value: number, at: number) => {
    data[at] = encode('PCMU', Int16Array.of(value))[0]!;
  },
  aLaw: (data: Buffer, value: number, at: number) => {
    data[at] = encode('PCMA', Int16Array.of(value))[0]!;
  },
  pcm16: (data: Buffer, value: number, at: number, isLittle: boolean) => {
    if (isLittle) data.writeInt16LE(value, at);
    else data.writeInt16BE(value, at);
  },
  pcm24: (data: Buffer, value: number, at: number, isLittle: boolean) => {
    if (isLittle) data.writeIntLE(value * 256, at, 3);
    else data.writeIntBE(value * 256, at, 3);
  },
  float32: (data: Buffer, value: number, at: number, isLittle: boolean) => {
    if (isLittle) data.writeFloatLE(value / 32_768, at);
    else data.writeFloatBE(value / 32_768, at);
  },
  float64: (data: Buffer, value: number, at: number, isLittle: boolean) => {
    if (isLittle) data.writeDoubleLE(value / 32_768, at);
    else data.writeDoubleBE(value / 32_768, at);
  },
};
test.each([
  ['µ-law', { kind: 7, bits: 8, write: as.muLaw }],
  ['A-law', { kind: 6, bits: 8, write: as.aLaw }],
  ['µ-law in an extensible header', { kind: 7, bits: 8, isExtensible: true, write: as.muLaw }],
  ['A-law in an extensible header', { kind: 6, bits: 8, isExtensible: true, write: as.aLaw }],
  ['µ-law at 16 kHz', { kind: 7, bits: 8, rate: 16_000, write: as.muLaw }],
  ['64-bit float', { kind: 3, bits: 64, write: as.float64 }],
  [
    '64-bit float, extensible, 48 kHz',
    { kind: 3, bits: 64, rate: 48_000, isExtensible: true, write: as.float64 },
  ],
  ['RF64', { kind: 1, bits: 16, container: 'RF64', write: as.pcm16 }],
  ['RF64 with µ-law', { kind: 7, bits: 8, container: 'RF64', write: as.muLaw }],
  ['RIFX', { kind: 1, bits: 16, container: 'RIFX', write: as.pcm16 }],
  ['RIFX with 24 bits', { kind: 1, bits: 24, container: 'RIFX', write: as.pcm24 }],
  ['RIFX with floats', { kind: 3, bits: 32, container: 'RIFX', write: as.float32 }],
  [
    'RIFX with A-law, extensible',
    { kind: 6, bits: 8, container: 'RIFX', isExtensible: true, write: as.aLaw },
  ],
] as [string, Parameters<typeof wavOf>[0]][])(
  '%s is read at its level and length',
  async (_, form) => {
    const made = await decodeSound(wavOf(form));
    if ('why' in made) throw new Error(made.why);
    expect(made.durationMs).toBe(1000);
    const [heard] = readWav(made.wav)!.channels;
    expect(
      Math.abs(loudnessAt(heard!, 440, 8000) - loudnessAt(tone(440, 8000, 1), 440, 8000)),
    ).toBeLessThan(0.02);
  },
);

test('other compressed WAV files are still refused in words', async () => {
  for (const [kind, bits] of [
    [2, 4],
    [0x11, 4],
    [0x31, 8],
    [0x55, 8],
    [7, 16],
    [3, 16],
  ] as const) {
    const made = await decodeSound(wavOf({ kind, bits, write: () => {} }));
    expect(made).toEqual({
      why: 'it isn’t an MP3 file or a WAV file with PCM, float, µ-law or A-law audio.',
    });
  }
});
