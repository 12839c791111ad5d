import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { TranscriptionRequest } from '../../gateways/transcription.ts';
import { writeWav } from '../../platform/audio/wav.ts';
import { highHz, lowHz, writeToneModel } from '../../../test/support/tone-model.ts';
import { findModel } from './model-files.ts';
import { Recognizer } from './recognizer.ts';
import { localTranscriber } from './transcription.ts';

const home = mkdtempSync(join(tmpdir(), 'models-'));
const folder = join(home, 'tones');
writeToneModel(folder);
afterAll(() => rmSync(home, { recursive: true }));
const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});
const engine = () => {
  const made = localTranscriber({ folder, threads: 1 });
  open.push(made);
  return made;
};

const rate = 8000;
interface Tone {
  hz: number;
  from: number;
  to: number;
}
/** A channel with these tones, each rising and falling like one syllable. */
const channel = (seconds: number, ...tones: Tone[]): Int16Array =>
  Int16Array.from({ length: rate * seconds }, (_, i) => {
    const at = i / rate;
    const tone = tones.find(({ from, to }) => at >= from && at < to);
    if (!tone) return 0;
    const swell = Math.sin((Math.PI * (at - tone.from)) / (tone.to - tone.from));
    return 12_000 * swell * Math.sin(2 * Math.PI * tone.hz * at);
  });
const request = (channels: Int16Array[]): TranscriptionRequest => ({
  recording: () => Promise.resolve(writeWav({ sampleRate: rate, channels })),
  durationMs: ((channels[0]?.length ?? 0) / rate) * 1000,
  channels: channels.length as 1 | 2,
  language: 'en-US',
  speakers: channels.length === 2 ? [2, 1] : [2],
});

test('each channel is heard alone by the model, with the time of each word', async () => {
  const transcript = await engine().transcribe(
    request([
      channel(
        9,
        { hz: lowHz, from: 1, to: 1.5 },
        { hz: highHz, from: 1.7, to: 2.2 },
        { hz: highHz, from: 6, to: 6.5 },
      ),
      channel(9, { hz: highHz, from: 4, to: 4.5 }),
    ]),
  );
  if (transcript.state !== 'ready') throw new Error('not ready');
  expect(transcript).toMatchObject({
    engine: 'sherpa-onnx',
    model: 'tones',
    language: 'en-US',
    text: 'low high\nhigh\nhigh',
    segments: [
      { i: 0, speaker: 2, channel: 0, text: 'low high' },
      { i: 1, speaker: 1, channel: 1, text: 'high' },
      { i: 2, speaker: 2, channel: 0, text: 'high' },
    ],
  });
  const words = transcript.segments.flatMap((segment) => segment.words);
  expect(words.map(({ w }) => w)).toEqual(['low', 'high', 'high', 'high']);
  for (const [i, at] of [1000, 1700, 4000, 6000].entries())
    expect(Math.abs((words[i]?.start_ms ?? 0) - at)).toBeLessThan(150);
  for (const { start_ms, end_ms } of words) expect(end_ms).toBeGreaterThan(start_ms);
});

test('talk without a pause is heard in parts, and no word is lost', async () => {
  // Longer than a part, with gaps too short to be pauses.
  const tones = Array.from({ length: 80 }, (_, i) => ({
    hz: i % 2 ? highHz : lowHz,
    from: 1 + i * 0.6,
    to: 1.45 + i * 0.6,
  }));
  const transcript = await engine().transcribe(request([channel(51, ...tones)]));
  if (transcript.state !== 'ready') throw new Error('not ready');
  const heard = transcript.text.split(/\s/).length;
  // One that lies on the cut may be heard twice.
  expect(heard).toBeGreaterThanOrEqual(80);
  expect(heard).toBeLessThanOrEqual(82);
});

test('silence is no text, and what isn’t a WAV file is refused', async () => {
  expect(await engine().transcribe(request([channel(3)]))).toMatchObject({
    state: 'ready',
    text: '',
    segments: [],
  });
  await expect(
    engine().transcribe({
      ...request([channel(1)]),
      recording: () => Promise.resolve(Buffer.from('no')),
    }),
  ).rejects.toThrow('no WAV');
});

test('a model that ends its process fails this transcription and not the next', async () => {
  const broken = join(home, 'broken');
  mkdirSync(broken);
  writeFileSync(join(broken, 'model.onnx'), 'no model');
  writeFileSync(join(broken, 'tokens.txt'), '<blk> 0\n');
  const spoken = request([channel(3, { hz: lowHz, from: 1, to: 2 })]);
  const one = localTranscriber({ folder: broken, threads: 1 });
  open.push(one);
  await expect(one.transcribe(spoken)).rejects.toThrow();
  await expect(one.transcribe(spoken)).rejects.toThrow();
  expect(await engine().transcribe(spoken)).toMatchObject({ state: 'ready', text: 'low' });
});

test('a model that takes too long is ended, and one that rests gives its memory back', async () => {
  const model = findModel(folder);
  if ('missing' in model) throw new Error(model.missing);
  const speech = { language: 'en', sampleRate: rate, samples: new Float32Array(rate) };
  const hasty = new Recognizer(model, 1, { idleMs: 1000, timeoutMs: 1 });
  await expect(hasty.hear(speech)).rejects.toThrow('too long');
  const resting = new Recognizer(model, 1, { idleMs: 50, timeoutMs: 60_000 });
  open.push(hasty, resting);
  await resting.hear(speech);
  await expect.poll(() => resting.isLoaded).toBe(false);
  expect((await resting.hear(speech)).text).toBe('');
});

test('the published kinds of models are told apart, and what is missing is named', () => {
  const made = (name: string, ...files: string[]) => {
    const path = join(home, name);
    mkdirSync(path);
    for (const file of files) writeFileSync(join(path, file), file.startsWith('model') ? name : '');
    return findModel(path);
  };
  expect(
    made('parakeet', 'encoder.int8.onnx', 'decoder.int8.onnx', 'joiner.int8.onnx', 'tokens.txt'),
  ).toMatchObject({ kind: 'transducer' });
  expect(
    made(
      'whisper',
      ...['tiny.en-encoder.onnx', 'tiny.en-encoder.int8.onnx', 'tiny.en-decoder.onnx'],
      ...['tiny.en-decoder.int8.onnx', 'tiny.en-tokens.txt'],
    ),
  ).toMatchObject({
    kind: 'whisper',
    files: {
      encoder: join(home, 'whisper', 'tiny.en-encoder.int8.onnx'),
      decoder: join(home, 'whisper', 'tiny.en-decoder.int8.onnx'),
    },
  });
  expect(
    made(
      'moonshine',
      ...['preprocess.onnx', 'encode.int8.onnx', 'uncached_decode.int8.onnx'],
      ...['cached_decode.int8.onnx', 'tokens.txt'],
    ),
  ).toMatchObject({ kind: 'moonshine' });
  expect(made('model sense_voice', 'model.int8.onnx', 'tokens.txt')).toMatchObject({
    kind: 'senseVoice',
  });
  expect(made('model paraformer', 'model.onnx', 'tokens.txt')).toMatchObject({
    kind: 'paraformer',
  });
  expect(findModel(folder)).toMatchObject({ kind: 'nemoCtc' });
  expect(made('half', 'encoder.onnx', 'tokens.txt')).toEqual({
    missing: expect.stringContaining('no model'),
  });
  expect(made('wordless', 'model.onnx')).toEqual({ missing: 'It has no tokens.txt.' });
  expect(findModel(join(home, 'elsewhere'))).toEqual({ missing: 'There’s no such folder.' });
  expect(() => localTranscriber({ folder: join(home, 'half'), threads: 1 })).toThrow(
    'TRANSCRIPTION_FOLDER',
  );
});
