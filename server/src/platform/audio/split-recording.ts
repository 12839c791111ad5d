import { voiceSpans, type VoiceSpan } from './voice-activity.ts';
import { readWav, writeWav } from './wav.ts';

/** A part of one channel in which someone speaks. */
export interface SpeechPart {
  channel: number;
  /** Where it begins in the recording. Milliseconds. */
  offsetMs: number;
  /** Mono. */
  wav: Uint8Array;
  /** When someone speaks, from the beginning of the recording. */
  voice: VoiceSpan[];
}

/** Kept around speech, so that no first or last sound is lost. */
const MARGIN_MS = 300;

/**
 * A recording as parts to be transcribed, each of one channel, cut in pauses. Channels on which no one
 * speaks are left out: engines invent words for silence. Someone who speaks on for longer than a part
 * is cut in the middle. Null: not a WAV file.
 */
export function splitRecording({
  bytes,
  longestPartMs,
}: {
  bytes: Uint8Array;
  longestPartMs: number;
}): SpeechPart[] | null {
  const wav = readWav(bytes);
  if (!wav) return null;
  return wav.channels.flatMap((samples, channel) =>
    partsOf(voiceSpans(samples, wav.sampleRate), longestPartMs).map((voice): SpeechPart => {
      const at = (ms: number) => Math.round((ms / 1000) * wav.sampleRate);
      const offsetMs = Math.max(0, (voice[0]?.[0] ?? 0) - MARGIN_MS);
      const end = (voice.at(-1)?.[1] ?? 0) + MARGIN_MS;
      const cut = samples.slice(at(offsetMs), at(end));
      return {
        channel,
        offsetMs,
        wav: writeWav({ sampleRate: wav.sampleRate, channels: [cut] }),
        voice,
      };
    }),
  );
}

/** Speech in groups that are no longer than a part can be. */
function partsOf(spans: readonly VoiceSpan[], longestMs: number): VoiceSpan[][] {
  const parts: VoiceSpan[][] = [];
  for (const span of spans.flatMap((one) => cutSpan(one, longestMs))) {
    const part = parts.at(-1);
    const begin = part?.[0]?.[0];
    if (part && begin !== undefined && span[1] - begin <= longestMs) part.push(span);
    else parts.push([span]);
  }
  return parts;
}

const cutSpan = ([from, to]: VoiceSpan, longestMs: number): VoiceSpan[] =>
  Array.from({ length: Math.max(1, Math.ceil((to - from) / longestMs)) }, (_, i): VoiceSpan => [
    from + i * longestMs,
    Math.min(to, from + (i + 1) * longestMs),
  ]);
