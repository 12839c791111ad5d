/** Everything inside the switch is mono at 16 kHz: wideband, and a rate Opus takes and gives as it is. */
export const sampleRate = 16_000;
export const frameSamples = 320;
export const frameMs = 20;

/** Half the width of the interpolating window, in samples of the slower side. */
const reach = 12;

/** Change the sampling rate with a windowed sinc; good enough for speech and telephone music. */
export function resample(input: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return input;
  const step = from / to;
  // Going down, the filter must also remove what the slower rate cannot carry.
  const cut = Math.min(1, to / from);
  const width = reach / cut;
  const output = new Int16Array(Math.floor(input.length / step));
  for (let i = 0; i < output.length; i++) {
    const centre = i * step;
    let sum = 0;
    for (let j = Math.max(0, Math.ceil(centre - width)); j <= Math.min(input.length - 1, centre + width); j++) {
      const x = j - centre;
      const phase = Math.PI * x * cut;
      const sinc = x === 0 ? 1 : Math.sin(phase) / phase;
      sum += (input[j] ?? 0) * sinc * cut * (0.5 + 0.5 * Math.cos((Math.PI * x) / width));
    }
    output[i] = Math.max(-32768, Math.min(32767, Math.round(sum)));
  }
  return output;
}

/** All channels in one. */
export function mixDown(channels: Int16Array[]): Int16Array {
  const [first] = channels;
  if (!first || channels.length === 1) return first ?? new Int16Array(0);
  return Int16Array.from(first, (_, i) => channels.reduce((sum, channel) => sum + (channel[i] ?? 0), 0) / channels.length);
}
