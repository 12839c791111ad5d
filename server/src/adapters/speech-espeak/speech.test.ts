import { expect, test } from 'vitest';
import { loudnessAt } from '../../platform/audio/loudness.ts';
import { readWav } from '../../platform/audio/wav.ts';
import { espeakSpeech } from './speech.ts';

const speech = espeakSpeech();

test('a greeting is read aloud, in about the time a person takes', async () => {
  const spoken = await speech.synthesize({
    text: 'Thanks for calling Acme Plumbing. Press one for sales.',
  });
  expect(spoken.durationMs).toBeGreaterThan(2000);
  expect(spoken.durationMs).toBeLessThan(6000);
  expect(spoken.pcm16k.length).toBeCloseTo(spoken.durationMs * 16, -2);
  const loudest = spoken.pcm16k.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  expect(loudest).toBeGreaterThan(3000);
  expect(readWav(spoken.wav)?.channels[0]).toEqual(spoken.pcm16k);
  expect(loudnessAt(spoken.pcm16k, 0, 16000)).toBeLessThan(0.05);
});

test('every voice on the menu speaks, and an unknown one is not a failure', async () => {
  for (const voice of [...(await speech.voices()).map(({ id }) => id), 'nobody']) {
    expect((await speech.synthesize({ text: 'Hello', voice })).durationMs).toBeGreaterThan(200);
  }
}, 180_000);

test('a text that looks like an option is read, not obeyed', async () => {
  expect((await speech.synthesize({ text: '--version' })).durationMs).toBeGreaterThan(300);
});

test('nothing to say is silence', async () => {
  expect((await speech.synthesize({ text: '   ' })).durationMs).toBe(0);
});
