/**
 * Sample rate inside the media process, in Hz: mono wideband, which Opus codes without conversion.
 */
export const sampleRate = 16_000;
export const frameSamples = 320;

/** Half the width of the interpolation window, in samples of the slower rate. */
const halfWidth = 12;

/**
 * One filter for each position of an output sample between two input samples; there are few where
 * the rates share a divisor.
 */
const filters = new Map<string, { phases: Float32Array[]; back: number }>();

function filterFor(from: number, to: number): { phases: Float32Array[]; back: number } {
  const key = `${from} ${to}`;
  const known = filters.get(key);
  if (known) return known;
  // When downsampling, the filter also removes the frequencies that the lower rate cannot carry.
  const cut = Math.min(1, to / from);
  const width = halfWidth / cut;
  const back = Math.floor(width);
  const phases = Array.from({ length: to / greatestCommonDivisor(from, to) }, (_, phase) => {
    const offset = ((phase * from) / to) % 1;
    return Float32Array.from({ length: back * 2 + 1 }, (_unused, tap) => {
      const x = tap - back - offset;
      if (Math.abs(x) >= width) return 0;
      const angle = Math.PI * x * cut;
      return (
        (x === 0 ? 1 : Math.sin(angle) / angle) *
        cut *
        (0.5 + 0.5 * Math.cos((Math.PI * x) / width))
      );
    });
  });
  const made = { phases, back };
  filters.set(key, made);
  return made;
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);

/**
 * Changes the sampling rate with a windowed sinc; good enough for speech and telephone music. One
 * second of speech costs half a millisecond, so that converting a long greeting does not stall
 * running calls.
 */
export function resample(input: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return input;
  const { phases, back } = filterFor(from, to);
  const output = new Int16Array(Math.floor((input.length * to) / from));
  for (let i = 0; i < output.length; i++) {
    const first = Math.floor((i * from) / to) - back;
    const filter = phases[i % phases.length] ?? new Float32Array(0);
    const begin = Math.max(0, -first);
    const end = Math.min(filter.length, input.length - first);
    let sum = 0;
    for (let tap = begin; tap < end; tap++)
      sum += (input[first + tap] as number) * (filter[tap] as number);
    output[i] = Math.max(-32768, Math.min(32767, Math.round(sum)));
  }
  return output;
}

/** Mixes all channels into one. */
export function mixDown(channels: Int16Array[]): Int16Array {
  const [first] = channels;
  if (!first || channels.length === 1) return first ?? new Int16Array(0);
  return Int16Array.from(
    first,
    (_, i) => channels.reduce((sum, channel) => sum + (channel[i] ?? 0), 0) / channels.length,
  );
}
