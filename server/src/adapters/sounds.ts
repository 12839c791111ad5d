import { sampleRate } from '../platform/audio/resample.ts';
import { writeWav } from '../platform/audio/wav.ts';
import { beep, holdMusic, ringing } from '../exchange/tones.ts';

/** Sounds that carriers fetch from us: ring back, the beep, three pieces of hold music. Made once. */
const made = new Map<string, Buffer>();
const makers: Record<string, () => Int16Array> = {
  ringing,
  beep,
  'music-1': () => holdMusic(1),
  'music-2': () => holdMusic(2),
  'music-3': () => holdMusic(3),
};

export function soundFile(name: string): Buffer | null {
  const make = makers[name];
  if (!make) return null;
  const wav = made.get(name) ?? writeWav({ sampleRate, channels: [make()] });
  made.set(name, wav);
  return wav;
}
