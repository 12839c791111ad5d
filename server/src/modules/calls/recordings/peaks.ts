import { WaveformPeaks } from '../../../platform/audio/loudness.ts';
import { readWav, type Wav } from '../../../platform/audio/wav.ts';

/** Waveform peaks for the player, 0 to 1, one list per channel; empty = not a WAV file. */
export function peaksOf(bytes: Buffer): number[][] {
  const wav = readWav(bytes);
  return wav ? peaksOfWav(wav) : [];
}

/** The same of a file that was read. */
export const peaksOfWav = ({ channels }: Wav): number[][] =>
  channels.map((samples) => {
    const peaks = new WaveformPeaks();
    peaks.add(samples);
    return peaks.read();
  });
