import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readWav } from '../../platform/audio/wav.ts';
import { pocketsphinxPath, transcribeChannel } from '../transcription-sandbox/pocketsphinx.ts';
import { openAiTranscriber } from './transcription.ts';

/** Five sentences read aloud (LibriVox), with their texts: Debian's pocketsphinx-testdata. */
const samples = '/usr/share/pocketsphinx/test/data/librivox';
const recognizer = pocketsphinxPath();
const canHear = recognizer !== null && existsSync(samples);

/** A speech server that really listens, with the recognizer that Debian has. */
const server = createServer((request, response) => {
  void new Response(request as unknown as BodyInit, {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  })
    .formData()
    .then(async (form) => {
      const wav = readWav(Buffer.from(await (form.get('file') as File).arrayBuffer()));
      const said = await transcribeChannel(recognizer!, wav!.channels[0]!, wav!.sampleRate);
      const segments = said.map(({ text, startMs, endMs }) => ({
        start: startMs / 1000,
        end: endMs / 1000,
        text,
      }));
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ text: said.map(({ text }) => text).join(' '), segments }));
    });
}).listen(0);
afterAll(() => void server.close());

/** Words that would have to be changed, added or left out, of all that were spoken. */
function wordErrors(heard: string[], spoken: string[]): number {
  let row = spoken.map((_, i) => i + 1);
  for (const [i, word] of heard.entries()) {
    let corner = i;
    const next: number[] = [];
    for (const [k, other] of spoken.entries()) {
      const above = row[k] ?? 0;
      next.push(Math.min(above + 1, (next[k - 1] ?? i + 1) + 1, corner + (word === other ? 0 : 1)));
      corner = above;
    }
    row = next;
  }
  return row.at(-1) ?? heard.length;
}

test.skipIf(!canHear)(
  'five sentences that people read aloud arrive as text, each in its time (needs pocketsphinx, pocketsphinx-en-us, pocketsphinx-testdata)',
  { timeout: 300_000 },
  async () => {
    const engine = openAiTranscriber({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      model: 'pocketsphinx',
      key: null,
    });
    const texts = readFileSync(join(samples, 'transcription'), 'utf8').trim().split('\n');
    let [errors, words] = [0, 0];
    for (const line of texts) {
      const [, text = '', name = ''] = /^<s> (.*) <\/s> \((.*)\)$/.exec(line) ?? [];
      const bytes = readFileSync(join(samples, `${name}.wav`));
      const wav = readWav(bytes)!;
      const durationMs = (wav.channels[0]!.length / wav.sampleRate) * 1000;
      const transcript = await engine.transcribe({
        recording: () => Promise.resolve(bytes),
        durationMs,
        channels: 1,
        language: 'en-US',
        speakers: [2],
      });
      if (transcript.state !== 'ready') throw new Error(transcript.reason);
      expect(transcript.segments.length, name).toBeGreaterThan(0);
      for (const { start_ms, end_ms } of transcript.segments) {
        expect(start_ms).toBeLessThan(end_ms);
        expect(end_ms).toBeLessThanOrEqual(durationMs + 1);
      }
      const spoken = text.split(' ');
      errors += wordErrors(transcript.text.toLowerCase().split(/\s+/), spoken);
      words += spoken.length;
    }
    // This engine is rough (measured: 37 %); words at random would be wrong nearly always.
    expect(words).toBe(71);
    expect(errors / words).toBeLessThan(0.6);
    if (process.env['SHOW_SOUND']) console.log(`${errors} of ${words} words wrong`);
  },
);
