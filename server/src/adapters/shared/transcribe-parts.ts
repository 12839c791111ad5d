/**
 * What engines that hear one channel at a time have in common: a recording is cut into parts in which
 * someone speaks, each is heard alone, and what was said is put together in the recording's time.
 */
import { z } from 'zod';
import type {
  TranscriptionRequest,
  TranscriptionResult,
  TranscriptSegment,
  TranscriptWord,
} from '../../gateways/transcription.ts';
import type { SpeechPart } from '../../platform/audio/split-recording.ts';
import type { VoiceSpan } from '../../platform/audio/voice-activity.ts';
import { runInThread } from '../../platform/worker-thread.ts';

/** Where an engine says no confidence of its own. */
const UNKNOWN_CONFIDENCE = 0.5;
const SPLIT_SECONDS = 60;

const seconds = z.number();
/** What an engine heard in a part; times are seconds from its beginning. */
export const Heard = z.looseObject({
  text: z.string(),
  words: z.array(z.looseObject({ word: z.string(), start: seconds, end: seconds })).nullish(),
  segments: z
    .array(
      z.looseObject({
        start: seconds,
        end: seconds,
        text: z.string(),
        avg_logprob: z.number().nullish(),
      }),
    )
    .nullish(),
});
export type Heard = z.output<typeof Heard>;

/**
 * Transcribes a recording part by part.
 * @param by.longestPartMs parts are no longer, unless someone speaks on without any pause
 * @param by.hear rejects when the engine fails
 */
export async function transcribeParts(
  request: TranscriptionRequest,
  by: {
    engine: string;
    model: string;
    longestPartMs: number;
    hear: (part: SpeechPart, language: string) => Promise<Heard>;
  },
): Promise<TranscriptionResult> {
  const parts = await runInThread<SpeechPart[] | null>(
    'splitRecording',
    { bytes: await request.recording(), longestPartMs: by.longestPartMs },
    SPLIT_SECONDS,
  );
  if (!parts) throw new Error('The recording is no WAV file.');
  const segments: TranscriptSegment[] = [];
  // One after the other: the engine may have a single processor.
  for (const part of parts)
    segments.push(...segmentsOf(await by.hear(part, request.language), part, request));
  const ordered = segments
    .toSorted((a, b) => a.start_ms - b.start_ms)
    .map((segment, i) => ({ ...segment, i }));
  const total = ordered.reduce((sum, { confidence }) => sum + confidence, 0);
  return {
    state: 'ready',
    engine: by.engine,
    model: by.model,
    language: request.language,
    confidence: ordered.length === 0 ? 0 : round(total / ordered.length),
    text: ordered.map(({ text }) => text).join('\n'),
    segments: ordered,
  };
}

/** The segments of a part, in the time of the recording, without those said while no one spoke. */
function segmentsOf(
  said: Heard,
  part: SpeechPart,
  { durationMs, speakers }: TranscriptionRequest,
): TranscriptSegment[] {
  const at = (time: number) =>
    Math.min(durationMs, Math.max(0, Math.round(part.offsetMs + time * 1000)));
  const words = (said.words ?? []).map(({ word, start, end }): TranscriptWord => ({
    w: word.trim(),
    start_ms: at(start),
    end_ms: at(end),
    confidence: UNKNOWN_CONFIDENCE,
  }));
  const last = part.voice.at(-1)?.[1] ?? durationMs;
  const whole = {
    start: 0,
    end: (last - part.offsetMs) / 1000,
    text: said.text,
    avg_logprob: null,
  };
  const pieces = said.segments?.length ? said.segments : [whole];
  let taken = 0;
  return pieces.flatMap(({ start, end, text, avg_logprob }, n): TranscriptSegment[] => {
    // Words are in order: those up to the segment's end are its own, and the last has the rest.
    const isLast = n === pieces.length - 1;
    const own = words.slice(taken).filter(({ start_ms }) => isLast || start_ms < at(end));
    taken += own.length;
    const segment = { start_ms: at(start), end_ms: at(end) };
    if (text.trim() === '' || !isSpoken(segment, part.voice)) return [];
    const confidence =
      typeof avg_logprob === 'number'
        ? round(Math.exp(Math.min(0, avg_logprob)))
        : UNKNOWN_CONFIDENCE;
    return [
      {
        i: 0,
        speaker: speakers[part.channel] ?? 0,
        channel: part.channel,
        ...segment,
        text: text.trim(),
        confidence,
        words: own.map((word) => ({ ...word, confidence })),
      },
    ];
  });
}

const isSpoken = (
  { start_ms, end_ms }: { start_ms: number; end_ms: number },
  voice: readonly VoiceSpan[],
): boolean => voice.some(([from, to]) => from <= end_ms && to >= start_ms);

const round = (value: number): number => Math.round(value * 100) / 100;
