/**
 * A speech server behind an OpenAI-compatible API: `POST /v1/audio/transcriptions`. Each channel is sent
 * alone, so that it is known who said what. Checked against the published reference and a server of our
 * own, not with a live account.
 */
import { z } from 'zod';
import type {
  TranscriptionGateway,
  TranscriptionRequest,
  TranscriptSegment,
  TranscriptWord,
} from '../../gateways/transcription.ts';
import type { VoiceSpan } from '../../platform/audio/voice-activity.ts';
import { createHttpClient, parseJson } from '../../platform/http-client/http-client.ts';
import { runInThread } from '../../platform/worker-thread.ts';
import type { SpeechPart } from '../../platform/audio/split-recording.ts';

interface ServerSettings {
  url: string;
  model: string;
  key: string | null;
}

/** Where a server says no confidence of its own. */
const UNKNOWN_CONFIDENCE = 0.5;
const SPLIT_SECONDS = 60;

const seconds = z.number();
const Verbose = z.looseObject({
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
type Verbose = z.output<typeof Verbose>;

/** Transcription by an OpenAI-compatible speech server. */
export function openAiTranscriber(settings: ServerSettings): TranscriptionGateway {
  const client = createHttpClient({
    target: 'transcription',
    totalMs: 600_000,
    headersMs: 600_000,
    bodyMs: 600_000,
  });
  const engine = new URL(settings.url).host;

  /** What was said in a part. Throws when the server doesn't transcribe it. */
  async function ask(part: SpeechPart, language: string): Promise<Verbose> {
    const form = new FormData();
    const file = new Blob([Buffer.from(part.wav)], { type: 'audio/wav' });
    form.set('file', file, `channel-${part.channel}.wav`);
    form.set('model', settings.model);
    form.set('language', language.slice(0, 2));
    form.set('response_format', 'verbose_json');
    form.append('timestamp_granularities[]', 'word');
    form.append('timestamp_granularities[]', 'segment');
    const answer = await client.request(`${settings.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: settings.key ? { authorization: `Bearer ${settings.key}` } : {},
      body: form,
    });
    if (answer.status >= 300) throw new Error(`The speech server answered ${answer.status}.`);
    const said = Verbose.safeParse(parseJson(answer.body));
    if (!said.success) throw new Error('The speech server’s answer has no text.');
    return said.data;
  }

  return {
    engine,
    transcribe: async (request) => {
      const parts = await runInThread<SpeechPart[] | null>(
        'splitRecording',
        await request.recording(),
        SPLIT_SECONDS,
      );
      if (!parts) throw new Error('The recording is no WAV file.');
      const segments: TranscriptSegment[] = [];
      // One after the other: the server may have a single processor.
      for (const part of parts)
        segments.push(...segmentsOf(await ask(part, request.language), part, request));
      const ordered = segments
        .toSorted((a, b) => a.start_ms - b.start_ms)
        .map((segment, i) => ({ ...segment, i }));
      const total = ordered.reduce((sum, { confidence }) => sum + confidence, 0);
      return {
        state: 'ready',
        engine,
        model: settings.model,
        language: request.language,
        confidence: ordered.length === 0 ? 0 : round(total / ordered.length),
        text: ordered.map(({ text }) => text).join('\n'),
        segments: ordered,
      };
    },
  };
}

/** The segments of a part, in the time of the recording, without those said while no one spoke. */
function segmentsOf(
  said: Verbose,
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
