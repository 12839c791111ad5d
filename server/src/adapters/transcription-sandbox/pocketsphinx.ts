/**
 * CMU pocketsphinx as a child process, when it is installed (Debian: pocketsphinx,
 * pocketsphinx-en-us).
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resample, sampleRate } from '../../platform/audio/resample.ts';
import { writeWav } from '../../platform/audio/wav.ts';

const installPaths = [
  '/usr/bin/pocketsphinx_continuous',
  '/usr/local/bin/pocketsphinx_continuous',
  '/opt/homebrew/bin/pocketsphinx_continuous',
];
const timeoutMs = 10 * 60_000;

/** The path of the program. Null: not installed. */
export const pocketsphinxPath = (): string | null =>
  installPaths.find((path) => existsSync(path)) ?? null;

interface Utterance {
  text: string;
  startMs: number;
  endMs: number;
}

/** Transcribes one channel. Rejects when the engine fails. */
export async function transcribeChannel(
  path: string,
  samples: Int16Array,
  rate: number,
): Promise<Utterance[]> {
  const folder = await mkdtemp(join(tmpdir(), 'listen-'));
  try {
    const file = join(folder, 'sound.wav');
    await writeFile(
      file,
      writeWav({ sampleRate, channels: [resample(samples, rate, sampleRate)] }),
    );
    return parseUtterances(
      await run(path, ['-infile', file, '-time', 'yes', '-logfn', '/dev/null']),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Parses the output of `-time yes`: each utterance’s sentence, then one line a word with its start
 * and end in seconds and its probability. Marks for silence and noise (`<s>`, `<sil>`, `[NOISE]`)
 * are skipped.
 */
export function parseUtterances(output: string): Utterance[] {
  const utterances: Utterance[] = [];
  let words: { word: string; start: number; end: number }[] = [];
  const finish = (): void => {
    const [first] = words;
    const last = words.at(-1);
    if (first && last)
      utterances.push({
        text: words.map(({ word }) => word.replace(/\(\d+\)$/, '')).join(' '),
        startMs: Math.round(first.start * 1000),
        endMs: Math.round(last.end * 1000),
      });
    words = [];
  };
  for (const line of output.split('\n')) {
    const timed = /^(\S+) (\d+(?:\.\d+)?) (\d+(?:\.\d+)?) (\S+)$/.exec(line.trim());
    if (!timed) finish();
    else if (!/^[<[]/.test(timed[1] ?? '<'))
      words.push({ word: timed[1] ?? '', start: Number(timed[2]), end: Number(timed[3]) });
  }
  finish();
  return utterances;
}

function run(path: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    child.stdout.on('data', (part: Buffer) => (output += part.toString()));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(output)
        : reject(new Error(`pocketsphinx ended with ${code ?? 'timeout'}`)),
    );
  });
}
