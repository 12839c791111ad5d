/**
 * Transcripts without any external service. Text that the sandbox spoke in place of a phone is
 * quoted, and the transcript says so. A real voice is transcribed by pocketsphinx when that is
 * installed, with low confidence; otherwise it is skipped with the reason. A call can have both.
 */
import { existsSync } from 'node:fs';
import type {
  ScriptedSpeech,
  TranscriptionResult,
  TranscriptionGateway,
  TranscriptionRequest,
  TranscriptSegment,
  TranscriptWord,
} from '../../gateways/transcription.ts';
import { readWav } from '../../platform/audio/wav.ts';
import { transcribeChannel, pocketsphinxPath } from './pocketsphinx.ts';

export const quotingEngine = 'sandbox (the caller’s own words)';
const recognizerEngine = 'pocketsphinx (low confidence)';
/** Speaking rate of the sandbox's voice. Words are timed by their length. */
const msPerCharacter = 65;
/** Confidence shown for pocketsphinx, whose own probabilities mean little. */
const recognizerConfidence = 0.4;
const minDurationMs = 1000;

/** The sandbox's transcription. `pocketsphinx` overrides the program's path; null turns it off. */
export function sandboxTranscription(
  options: { pocketsphinx?: string | null } = {},
): TranscriptionGateway {
  const ear = options.pocketsphinx === undefined ? pocketsphinxPath() : options.pocketsphinx;
  const binaryPath = ear !== null && existsSync(ear) ? ear : null;

  return {
    engine: binaryPath ? `${quotingEngine}, ${recognizerEngine}` : quotingEngine,
    async transcribe(request): Promise<TranscriptionResult> {
      const quoted = (request.speech ?? []).map((speech) => quoteSpeech(speech, request));
      const silentChannels = Array.from(
        { length: request.channels },
        (_, channel) => channel,
      ).filter((channel) => !quoted.some((segment) => segment.channel === channel));
      if (quoted.length === 0 && request.durationMs < minDurationMs)
        return { state: 'skipped', reason: 'too_short', engine: quotingEngine };
      if (quoted.length === 0 && !binaryPath)
        return { state: 'skipped', reason: 'no_engine', engine: quotingEngine };
      if (quoted.length === 0 && !request.language.startsWith('en'))
        return { state: 'skipped', reason: 'unsupported_language', engine: recognizerEngine };

      const heard =
        binaryPath && request.language.startsWith('en') && silentChannels.length > 0
          ? await recognize(binaryPath, request, silentChannels)
          : [];
      const segments = [...quoted, ...heard]
        .sort((a, b) => a.start_ms - b.start_ms)
        .map((segment, i) => ({ ...segment, i }));
      const engines = [
        quoted.length > 0 ? quotingEngine : null,
        heard.length > 0 || quoted.length === 0 ? recognizerEngine : null,
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

function quoteSpeech(
  { channel, text, startMs }: ScriptedSpeech,
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
    words: spreadWords(text, startMs, end_ms, 1),
  };
}

/** Spreads words over a time span by their length. */
function spreadWords(
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

async function recognize(
  binaryPath: string,
  request: TranscriptionRequest,
  channels: number[],
): Promise<TranscriptSegment[]> {
  const wav = readWav(await request.recording());
  const segments: TranscriptSegment[] = [];
  for (const channel of channels) {
    const samples = wav?.channels[channel];
    if (!wav || !samples) continue;
    for (const { text, startMs, endMs } of await transcribeChannel(
      binaryPath,
      samples,
      wav.sampleRate,
    )) {
      segments.push({
        i: 0,
        speaker: request.speakers[channel] ?? 0,
        channel,
        start_ms: startMs,
        end_ms: endMs,
        text,
        confidence: recognizerConfidence,
        words: spreadWords(text, startMs, endMs, recognizerConfidence),
      });
    }
  }
  return segments;
}

const round = (value: number): number => Math.round(value * 100) / 100;
