import { WaveformPeaks } from '../../../platform/audio/loudness.ts';
import { readWav } from '../../../platform/audio/wav.ts';

/** Waveform peaks for the player, 0 to 1, one list per channel; empty = not a WAV file. */
export function peaksOf(bytes: Buffer): number[][] {
  return (readWav(bytes)?.channels ?? []).map((samples) => {
    const peaks = new WaveformPeaks();
    peaks.add(samples);
    return peaks.read();
  });
}
