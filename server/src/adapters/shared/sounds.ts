import { holdMusic } from '../../platform/audio/hold-music.ts';
import { beep, ringing } from '../../platform/audio/tones.ts';
import { sampleRate } from '../../platform/audio/resample.ts';
import { writeWav } from '../../platform/audio/wav.ts';

const generators: Record<string, () => Int16Array> = {
  ringing,
  beep,
  'music-1': () => holdMusic(1),
  'music-2': () => holdMusic(2),
  'music-3': () => holdMusic(3),
};
const cache = new Map<string, Buffer>();

/**
 * A sound that carriers fetch from us, as a WAV file; generated once. Null when there is no such
 * sound.
 */
export function soundFile(name: string): Buffer | null {
  const generate = generators[name];
  if (!generate) return null;
  const wav = cache.get(name) ?? writeWav({ sampleRate, channels: [generate()] });
  cache.set(name, wav);
  return wav;
}
