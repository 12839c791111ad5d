import { readWav, writeWav } from '../../../platform/audio/wav.ts';

/** Silenced before and after each span, because engines time words imprecisely. */
const MARGIN_MS = 200;

/**
 * The recording with these spans silenced on every channel, because one side's channel may carry
 * the other's voice. null: not a WAV file.
 */
export function silenceSpans(
  bytes: Buffer,
  spans: readonly { start_ms: number; end_ms: number }[],
): Buffer | null {
  const wav = readWav(bytes);
  if (!wav) return null;
  const at = (ms: number) => Math.max(0, Math.round((ms / 1000) * wav.sampleRate));
  for (const { start_ms, end_ms } of spans)
    for (const channel of wav.channels)
      channel.fill(0, at(start_ms - MARGIN_MS), at(end_ms + MARGIN_MS));
  return writeWav(wav);
}
