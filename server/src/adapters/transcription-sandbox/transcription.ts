/**
 * Transcripts with nothing from outside. A sandbox phone that read its lines from text is quoted, and the transcript
 * says so; a real voice is written down by pocketsphinx where that is installed, with low confidence; else it is skipped
 * with the reason. A call with both is quoted where it was read and listened to where it was not.
 */
import { existsSync } from 'node:fs';
import type {
  KnownSpeech,
  Transcribed,
  TranscriptionPort,
  TranscriptionRequest,
  TranscriptSegment,
  TranscriptWord,
} from '../../ports/transcription.ts';
import { readWav } from '../../platform/audio/wav.ts';
import { listen, pocketsphinxPath } from './pocketsphinx.ts';

export const quotingEngine = 'sandbox (the caller’s own words)';
export const listeningEngine = 'pocketsphinx (low confidence)';
/** Reading speed of the sandbox's voice. Words are spread by their length, because nobody timed them. */
const msPerCharacter = 65;
/** What pocketsphinx says of its own certainty means little; it is shown as this and no more. */
const listeningConfidence = 0.4;
const shortestMs = 1000;

export function sandboxTranscription(
  options: { pocketsphinx?: string | null } = {},
): TranscriptionPort {
  const ear = options.pocketsphinx === undefined ? pocketsphinxPath() : options.pocketsphinx;
  const ears = ear !== null && existsSync(ear) ? ear : null;

  return {
    engine: ears ? `${quotingEngine}, ${listeningEngine}` : quotingEngine,
    async transcribe(request): Promise<Transcribed> {
      const quoted = (request.speech ?? []).map((speech) => quote(speech, request));
      const silentChannels = Array.from(
        { length: request.channels },
        (_, channel) => channel,
      ).filter((channel) => !quoted.some((segment) => segment.channel === channel));
      if (quoted.length === 0 && request.durationMs < shortestMs)
        return { state: 'skipped', reason: 'too_short', engine: quotingEngine };
      if (quoted.length === 0 && !ears)
        return { state: 'skipped', reason: 'no_engine', engine: quotingEngine };
      if (quoted.length === 0 && !request.language.startsWith('en'))
        return { state: 'skipped', reason: 'unsupported_language', engine: listeningEngine };

      const heard =
        ears && request.language.startsWith('en') && silentChannels.length > 0
          ? await hear(ears, request, silentChannels)
          : [];
      const segments = [...quoted, ...heard]
        .sort((a, b) => a.start_ms - b.start_ms)
        .map((segment, i) => ({ ...segment, i }));
      const engines = [
        quoted.length > 0 ? quotingEngine : null,
        heard.length > 0 || quoted.length === 0 ? listeningEngine : null,
      ];
      return {
        state: 'ready',
        engine: engines.filter((engine) => engine !== null).join(', '),
        model: heard.length > 0 ? 'en-us' : null,
        language: request.language,
        confidence:
          segments.length === 0
            ? 0
            : round(
                segments.reduce((sum, { confidence }) => sum + confidence, 0) / segments.length,
              ),
        text: segments.map(({ text }) => text).join('\n'),
        segments,
      };
    },
  };
}

function quote(
  { channel, text, startMs }: KnownSpeech,
  request: TranscriptionRequest,
): TranscriptSegment {
  const end_ms = Math.min(request.durationMs, startMs + text.length * msPerCharacter);
  return {
    i: 0,
    speaker: request.speakers[channel] ?? 0,
    channel,
    start_ms: startMs,
    end_ms,
    text,
    confidence: 1,
    words: spread(text, startMs, end_ms, 1),
  };
}

/** Words over a stretch of time, each as long as its letters. */
function spread(
  text: string,
  startMs: number,
  endMs: number,
  confidence: number,
): TranscriptWord[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const letters = words.reduce((sum, word) => sum + word.length + 1, 0);
  let passed = 0;
  return words.map((w) => {
    const start_ms = Math.round(startMs + ((endMs - startMs) * passed) / letters);
    passed += w.length + 1;
    return {
      w,
      start_ms,
      end_ms: Math.round(startMs + ((endMs - startMs) * passed) / letters),
      confidence,
    };
  });
}

async function hear(
  ears: string,
  request: TranscriptionRequest,
  channels: number[],
): Promise<TranscriptSegment[]> {
  const wav = readWav(await request.recording());
  const segments: TranscriptSegment[] = [];
  for (const channel of channels) {
    const samples = wav?.channels[channel];
    if (!wav || !samples) continue;
    for (const { text, startMs, endMs } of await listen(ears, samples, wav.sampleRate)) {
      segments.push({
        i: 0,
        speaker: request.speakers[channel] ?? 0,
        channel,
        start_ms: startMs,
        end_ms: endMs,
        text,
        confidence: listeningConfidence,
        words: spread(text, startMs, endMs, listeningConfidence),
      });
    }
  }
  return segments;
}

const round = (value: number): number => Math.round(value * 100) / 100;
