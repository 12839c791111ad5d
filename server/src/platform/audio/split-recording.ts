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

/** Servers take 25 MB at most: this is 19 MB at 16,000 samples a second. */
const LONGEST_PART_MS = 10 * 60_000;
/** Kept around speech, so that no first or last sound is lost. */
const MARGIN_MS = 300;

/**
 * A recording as parts to be transcribed, each of one channel, cut in pauses. Channels on which no one
 * speaks are left out: engines invent words for silence. Null: not a WAV file.
 */
export function splitRecording(bytes: Uint8Array): SpeechPart[] | null {
  const wav = readWav(bytes);
  if (!wav) return null;
  return wav.channels.flatMap((samples, channel) =>
    partsOf(voiceSpans(samples, wav.sampleRate)).map((voice): SpeechPart => {
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
function partsOf(spans: readonly VoiceSpan[]): VoiceSpan[][] {
  const parts: VoiceSpan[][] = [];
  for (const span of spans) {
    const part = parts.at(-1);
    const begin = part?.[0]?.[0];
    if (part && begin !== undefined && span[1] - begin <= LONGEST_PART_MS) part.push(span);
    else parts.push([span]);
  }
  return parts;
}
