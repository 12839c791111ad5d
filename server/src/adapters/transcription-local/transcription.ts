/**
 * A speech model on this machine, run by sherpa-onnx in a process of its own. Nothing leaves the
 * machine.
 */
import { basename } from 'node:path';
import type { TranscriptionGateway } from '../../gateways/transcription.ts';
import type { SpeechPart } from '../../platform/audio/split-recording.ts';
import { readWav } from '../../platform/audio/wav.ts';
import { transcribeParts, type Heard } from '../shared/transcribe-parts.ts';
import { findModel } from './model-files.ts';
import { Recognizer, type Said } from './recognizer.ts';

/** Whisper hears no longer parts, and other models need memory by the part's length. */
const LONGEST_PART_MS = 28_000;
/** A word's end where the model says beginnings only. Seconds. */
const LONGEST_WORD = 0.8;

/**
 * Transcription by the model in `folder`.
 * @throws Error when the folder has no model
 */
export function localTranscriber({
  folder,
  threads,
}: {
  folder: string;
  threads: number;
}): TranscriptionGateway & { close(): void } {
  const model = findModel(folder);
  if ('missing' in model) throw new Error(`TRANSCRIPTION_FOLDER ${folder}: ${model.missing}`);
  const recognizer = new Recognizer(model, threads);
  const hear = async (part: SpeechPart, language: string): Promise<Heard> => {
    const wav = readWav(part.wav);
    if (!wav) throw new Error('A part of the recording is no WAV file.');
    const samples = Float32Array.from(wav.channels[0] ?? [], (value) => value / 32_768);
    return heardFrom(
      await recognizer.hear({
        language: language.slice(0, 2).toLowerCase(),
        sampleRate: wav.sampleRate,
        samples,
      }),
      part,
    );
  };
  return {
    engine: 'sherpa-onnx',
    transcribe: (request) =>
      transcribeParts(request, {
        engine: 'sherpa-onnx',
        model: basename(folder),
        longestPartMs: LONGEST_PART_MS,
        hear,
      }),
    close: () => recognizer.close(),
  };
}

type Word = NonNullable<Heard['words']>[number];

/** Tokens become words, and words the sentences between pauses. */
function heardFrom(said: Said, part: SpeechPart): Heard {
  const text = said.text.trim();
  const words = wordsOf(said);
  if (words.length === 0) return { text };
  const ends = part.voice.map(([, to]) => (to - part.offsetMs) / 1000);
  const avg_logprob =
    said.ys_log_probs.length > 0
      ? said.ys_log_probs.reduce((sum, one) => sum + one, 0) / said.ys_log_probs.length
      : null;
  const groups = ends.map((end, i): Word[] =>
    words.filter(
      ({ start }) =>
        (i === ends.length - 1 || start < end) && (i === 0 || start >= (ends[i - 1] ?? 0)),
    ),
  );
  const segments = groups.flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    return first && last
      ? [
          {
            start: first.start,
            end: last.end,
            text: group.map(({ word }) => word).join(' '),
            avg_logprob,
          },
        ]
      : [];
  });
  return { text, words, segments };
}

/** A token that begins with a space, or the mark that stands for one, begins a word. */
function wordsOf({ tokens, timestamps }: Said): Word[] {
  if (timestamps.length !== tokens.length) return [];
  const words: Word[] = [];
  for (const [i, token] of tokens.entries()) {
    const start = timestamps[i] ?? 0;
    const begins = /^[\s▁]/.test(token) || words.length === 0;
    const piece = token.replace(/^[\s▁]+/, '');
    const last = words.at(-1);
    if (!begins && last) last.word += piece;
    else words.push({ word: piece, start, end: start });
    const end = Math.min(timestamps[i + 1] ?? Infinity, start + LONGEST_WORD);
    const current = words.at(-1);
    if (current) current.end = end;
  }
  return words.filter(({ word }) => word !== '');
}
