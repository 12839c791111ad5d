import { readWav, writeWav } from '../../../platform/audio/wav.ts';

/** Spoken just before and after what an engine calls the word. */
const MARGIN_MS = 200;

/** The same recording with these spans silent on every channel: what one side says, the other side's channel may carry too. Null: not a sound we can open. */
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
