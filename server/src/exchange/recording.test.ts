import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { frameSamples } from '../platform/audio/resample.ts';
import { readWav } from '../platform/audio/wav.ts';
import { Recording } from './recording.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recording-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Frame `n` of a source that counts from `first`; each of its samples is `n + 1`. */
const frame = (n: number, source: object, first = 0) => ({
  opus: Buffer.alloc(0),
  pcm: new Int16Array(frameSamples).fill(n + 1),
  source,
  sequenceNumber: n % 65536,
  timestamp: first + n * 960,
});

/** What each 20 ms of the only channel holds: `n + 1` of the frame there, 0 for silence. */
async function frames(recording: Recording, endMs: number): Promise<number[]> {
  const { path } = await recording.finish(endMs);
  const [samples = new Int16Array(0)] = readWav(new Uint8Array(readFileSync(path)))?.channels ?? [];
  return Array.from(
    { length: Math.floor(samples.length / frameSamples) },
    (_, i) => samples[i * frameSamples + 10] ?? 0,
  );
}

test.each([
  ['shorter than the tolerance', 160],
  ['half a second', 460],
  ['two thirds of a second', 660],
])('packets that waited in a stall keep their places: %s', async (_, stallMs) => {
  const recording = new Recording(join(folder, 'one.wav'), 1, 0);
  const phone = {};
  for (let n = 0; n < 100; n++) {
    const sentMs = n * 20;
    // Everything sent from 600 ms on arrives together when the process goes on.
    const arrivesMs = sentMs >= 600 && sentMs < 600 + stallMs ? 600 + stallMs : sentMs;
    recording.write(0, phone, frame(n, phone), arrivesMs);
    if (arrivesMs === sentMs) recording.flush(sentMs);
  }
  expect(await frames(recording, 2000)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
});

test('a source that counts from elsewhere is aligned at once', async () => {
  const recording = new Recording(join(folder, 'two.wav'), 1, 0);
  const phone = {};
  for (let n = 0; n < 25; n++) recording.write(0, phone, frame(n, phone, 9_600_000), n * 20);
  for (let n = 25; n < 50; n++) recording.write(0, phone, frame(n, phone), n * 20);
  expect(await frames(recording, 1000)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
});

test('a source that stays late is aligned after a second', async () => {
  const recording = new Recording(join(folder, 'three.wav'), 1, 0);
  const phone = {};
  for (let n = 0; n < 25; n++) recording.write(0, phone, frame(n, phone), n * 20);
  // Its clock stood for 300 ms: what it says from then on comes 15 frames late.
  for (let n = 25; n < 150; n++) recording.write(0, phone, frame(n, phone), (n + 15) * 20);
  const heard = await frames(recording, 3300);
  expect(heard[24]).toBe(25);
  expect(heard.slice(-20)).toEqual(Array.from({ length: 20 }, (_, i) => 131 + i));
});
