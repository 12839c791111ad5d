import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { TranscriptionRequest } from '../../gateways/transcription.ts';
import { readWav, writeWav } from '../../platform/audio/wav.ts';
import { splitRecording } from '../../platform/audio/split-recording.ts';
import { openAiTranscriber } from './transcription.ts';

interface Asked {
  url: string;
  authorization: string | undefined;
  fields: Record<string, string[]>;
  /** Seconds of sound, and of how many channels. */
  seconds: number;
  channels: number;
}
let asked: Asked[] = [];
let next: { status: number; body: unknown }[] = [];
/** A speech server that answers what it is told to, one after the other. */
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const type = request.headers['content-type'] ?? '';
    void new Response(Buffer.concat(parts), { headers: { 'content-type': type } })
      .formData()
      .then(async (form) => {
        const file = form.get('file') as File;
        const wav = readWav(Buffer.from(await file.arrayBuffer()));
        const texts = [...form.entries()].filter(([, value]) => typeof value === 'string');
        asked.push({
          url: request.url ?? '',
          authorization: request.headers.authorization,
          fields: Object.fromEntries(
            texts.map(([name]) => [name, form.getAll(name).map((one) => one as string)]),
          ),
          seconds: (wav?.channels[0]?.length ?? 0) / (wav?.sampleRate ?? 1),
          channels: wav?.channels.length ?? 0,
        });
        const answer = next.shift() ?? { status: 500, body: {} };
        response
          .writeHead(answer.status, { 'content-type': 'application/json' })
          .end(JSON.stringify(answer.body));
      });
  });
}).listen(0);
afterAll(() => void server.close());
beforeEach(() => {
  asked = [];
  next = [];
});
const port = (server.address() as AddressInfo).port;
const engine = openAiTranscriber({
  url: `http://127.0.0.1:${port}`,
  model: 'whisper-large',
  key: 'k1',
});

const rate = 8000;
/** A voice of four syllables a second in these seconds. */
const channel = (length: number, ...spans: [number, number][]): Int16Array =>
  Int16Array.from({ length: rate * length }, (_, i) => {
    const at = i / rate;
    return spans.some(([from, to]) => at >= from && at < to)
      ? 9000 * Math.sin(i / 8) * Math.abs(Math.sin(4 * Math.PI * at))
      : 0;
  });
const request = (channels: Int16Array[]): TranscriptionRequest => ({
  recording: () => Promise.resolve(writeWav({ sampleRate: rate, channels })),
  durationMs: ((channels[0]?.length ?? 0) / rate) * 1000,
  channels: channels.length as 1 | 2,
  language: 'en-US',
  speakers: channels.length === 2 ? [2, 1] : [2],
});
const ok = (body: object) => ({ status: 200, body });

test('each channel is sent alone with model, key and word times, and who spoke is known by channel', async () => {
  next = [
    ok({
      text: ' My sink leaks.',
      words: [
        { word: 'My', start: 0.3, end: 0.6 },
        { word: 'sink', start: 0.6, end: 1 },
        { word: 'leaks', start: 1, end: 2.2 },
      ],
      segments: [{ start: 0.3, end: 2.2, text: ' My sink leaks.', avg_logprob: -0.1054 }],
    }),
    ok({
      text: 'Acme, hello.',
      segments: [{ start: 0.3, end: 1.4, text: 'Acme, hello.' }],
    }),
  ];
  const transcript = await engine.transcribe(request([channel(10, [4, 6]), channel(10, [1, 2])]));
  expect(asked.map(({ url, authorization, channels }) => [url, authorization, channels])).toEqual([
    ['/v1/audio/transcriptions', 'Bearer k1', 1],
    ['/v1/audio/transcriptions', 'Bearer k1', 1],
  ]);
  expect(asked[0]?.fields).toEqual({
    model: ['whisper-large'],
    language: ['en'],
    response_format: ['verbose_json'],
    'timestamp_granularities[]': ['word', 'segment'],
  });
  // Only what was spoken is sent, with a little around it.
  expect(asked[0]?.seconds).toBeLessThan(3);
  expect(transcript).toMatchObject({
    state: 'ready',
    engine: `127.0.0.1:${port}`,
    model: 'whisper-large',
    text: 'Acme, hello.\nMy sink leaks.',
    segments: [
      // Its server says no words: its own times count.
      { i: 0, speaker: 1, channel: 1, text: 'Acme, hello.', words: [], confidence: 0.5 },
      { i: 1, speaker: 2, channel: 0, text: 'My sink leaks.', confidence: 0.9 },
    ],
  });
  if (transcript.state !== 'ready') throw new Error('not ready');
  const [agent, client] = transcript.segments;
  expect(Math.abs((agent?.start_ms ?? 0) - 1000)).toBeLessThan(100);
  expect(Math.abs((client?.start_ms ?? 0) - 4000)).toBeLessThan(100);
  expect(client?.words.map(({ w }) => w)).toEqual(['My', 'sink', 'leaks']);
  expect(Math.abs((client?.words[2]?.end_ms ?? 0) - 5900)).toBeLessThan(100);
});

test('silence is not sent, and words invented where no one spoke are dropped', async () => {
  next = [
    ok({
      text: 'Hello. Thanks for watching!',
      segments: [
        { start: 0.3, end: 1.3, text: 'Hello.' },
        { start: 4.3, end: 5.3, text: 'Thanks for watching!' },
      ],
    }),
  ];
  const transcript = await engine.transcribe(request([channel(10, [1, 2]), channel(10)]));
  expect(asked).toHaveLength(1);
  expect(transcript).toMatchObject({ text: 'Hello.' });
  expect(await engine.transcribe(request([channel(10), channel(10)]))).toMatchObject({
    state: 'ready',
    text: '',
    segments: [],
  });
});

test('a server that says only text covers what was spoken; one that fails is asked again', async () => {
  next = [ok({ text: 'Call me back' })];
  const transcript = await engine.transcribe(request([channel(10, [2, 5])]));
  if (transcript.state !== 'ready') throw new Error('not ready');
  expect(transcript.segments).toMatchObject([{ speaker: 2, text: 'Call me back' }]);
  expect(Math.abs((transcript.segments[0]?.end_ms ?? 0) - 5000)).toBeLessThan(100);
  next = [{ status: 503, body: {} }];
  await expect(engine.transcribe(request([channel(5, [1, 3])]))).rejects.toThrow('503');
  next = [ok({ error: 'x' })];
  await expect(engine.transcribe(request([channel(5, [1, 3])]))).rejects.toThrow('no text');
});

test('long speech is cut in pauses into parts that servers take', () => {
  const long = channel(
    25 * 60,
    ...Array.from({ length: 150 }, (_, i): [number, number] => [i * 10, i * 10 + 8]),
  );
  const parts =
    splitRecording({
      bytes: writeWav({ sampleRate: rate, channels: [long] }),
      longestPartMs: 10 * 60_000,
    }) ?? [];
  expect(parts.map(({ voice }) => voice.length).reduce((sum, n) => sum + n, 0)).toBe(150);
  expect(parts).toHaveLength(3);
  for (const { wav, offsetMs, voice } of parts) {
    expect(((wav.length - 44) / 2 / rate) * 1000).toBeLessThanOrEqual(10 * 60_000 + 700);
    expect(voice[0]?.[0]).toBeGreaterThanOrEqual(offsetMs);
  }
});
