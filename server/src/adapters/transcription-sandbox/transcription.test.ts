import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TranscriptionRequest } from '../../gateways/transcription.ts';
import { parseUtterances } from './pocketsphinx.ts';
import { quotingEngine, sandboxTranscription } from './transcription.ts';

const deaf = sandboxTranscription({ pocketsphinx: null });
const request = (change: Partial<TranscriptionRequest> = {}): TranscriptionRequest => ({
  recording: () => Promise.reject(new Error('Nobody should listen.')),
  durationMs: 20_000,
  channels: 2,
  language: 'en-US',
  speakers: [2, 1],
  ...change,
});

test('a sandbox caller is quoted, in order, each on its channel, and the transcript says where its words come from', async () => {
  const transcript = await deaf.transcribe(
    request({
      speech: [
        { channel: 1, text: 'Acme, how can I help', startMs: 2000 },
        { channel: 0, text: 'My sink leaks', startMs: 400 },
      ],
    }),
  );
  expect(transcript).toMatchObject({
    state: 'ready',
    engine: quotingEngine,
    text: 'My sink leaks\nAcme, how can I help',
    segments: [
      { i: 0, speaker: 2, channel: 0, start_ms: 400, text: 'My sink leaks', confidence: 1 },
      { i: 1, speaker: 1, channel: 1, start_ms: 2000, text: 'Acme, how can I help' },
    ],
  });
});

test('words follow each other within the time their speaker spoke', () => {
  return fc.assert(
    fc.asyncProperty(
      fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 30 }),
      fc.nat(15_000),
      async (words, startMs) => {
        const transcript = await deaf.transcribe(
          request({ speech: [{ channel: 0, text: words.join(' '), startMs }] }),
        );
        if (transcript.state !== 'ready') throw new Error('not ready');
        const timed = transcript.segments[0]?.words ?? [];
        expect(timed.map(({ w }) => w)).toEqual(words);
        let before = startMs;
        for (const { start_ms, end_ms } of timed) {
          expect(start_ms).toBe(before);
          expect(end_ms).toBeGreaterThanOrEqual(start_ms);
          before = end_ms;
        }
        expect(before).toBeLessThanOrEqual(20_000);
      },
    ),
  );
});

test('audio that can’t be transcribed is skipped with its reason, never invented', async () => {
  expect(await deaf.transcribe(request())).toMatchObject({ state: 'skipped', reason: 'no_engine' });
  expect(await deaf.transcribe(request({ durationMs: 300 }))).toMatchObject({
    state: 'skipped',
    reason: 'too_short',
  });
});

test('pocketsphinx’s words and times are read, its marks for silence and its variants are not', () => {
  const output =
    'hello my sink\n<s> 0.000 0.200 0.99\nhello(2) 0.210 0.600 0.8\n<sil> 0.6 0.7 1.0\nmy 0.71 0.9 0.7\nsink 0.91 1.4 0.5\n</s> 1.4 1.5 1\nplease\nplease 3.000 3.500 0.4\n';
  expect(parseUtterances(output)).toEqual([
    { text: 'hello my sink', startMs: 210, endMs: 1400 },
    { text: 'please', startMs: 3000, endMs: 3500 },
  ]);
});
