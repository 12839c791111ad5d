/**
 * Speech synthesis by eSpeak NG in a child process: robotic, free, and without any external
 * service.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SpeechGateway, SynthesizedSpeech } from '../../gateways/speech.ts';
import { mixDown, resample, sampleRate } from '../../platform/audio/resample.ts';
import { readWav, writeWav } from '../../platform/audio/wav.ts';
import { voices, chooseVoice } from './voices.ts';

const readAloudScript = fileURLToPath(new URL('./read-aloud.mjs', import.meta.url));
const wordsPerMinute = 160;
const maxTextLength = 5000;
const timeoutMs = 20_000;
/** At most two at a time: more would take processor time from calls. */
const maxConcurrent = 2;

/** Speech synthesis by eSpeak NG; further requests wait while the maximum runs. */
export function espeakSpeech(): SpeechGateway {
  let speaking = 0;
  const waiting: (() => void)[] = [];
  const myTurn = async (): Promise<void> => {
    if (speaking >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve));
    else speaking++;
  };
  const next = (): void => {
    const first = waiting.shift();
    if (first) first();
    else speaking--;
  };

  return {
    engine: 'espeak-ng',
    voices: () =>
      Promise.resolve(
        voices.map(({ id, label, language, gender }) => ({ id, label, language, gender })),
      ),
    async synthesize(words): Promise<SynthesizedSpeech> {
      const text = words.text.slice(0, maxTextLength).trim();
      if (text === '') return toSpokenAudio(new Int16Array(0));
      await myTurn();
      try {
        const wav = readWav(
          await synthesize({ text, voice: chooseVoice(words), speed: wordsPerMinute }),
        );
        if (!wav) throw new Error('eSpeak NG gave no sound.');
        return toSpokenAudio(resample(mixDown(wav.channels), wav.sampleRate, sampleRate));
      } finally {
        next();
      }
    },
  };
}

function toSpokenAudio(pcm16k: Int16Array): SynthesizedSpeech {
  return {
    pcm16k,
    wav: writeWav({ sampleRate, channels: [pcm16k] }),
    durationMs: Math.round((pcm16k.length * 1000) / sampleRate),
  };
}

function synthesize(words: { text: string; voice: string; speed: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The child runs Node without our loaders, and gets none of our settings.
    const child = spawn(process.execPath, [readAloudScript], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '' },
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    const sound: Buffer[] = [];
    let complaint = '';
    child.stdout.on('data', (part: Buffer) => sound.push(part));
    child.stderr.on('data', (part: Buffer) => (complaint += part.toString()));
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(sound));
      else reject(new Error(`eSpeak NG failed (${code ?? 'timeout'}): ${complaint.slice(0, 300)}`));
    });
    child.stdin.end(JSON.stringify(words));
  });
}
