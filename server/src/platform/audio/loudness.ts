/**
 * The amplitude of one frequency in these samples, 0 to 1 of full scale (Goertzel). Tests use it to
 * recognize tones.
 */
export function loudnessAt(
  samples: ArrayLike<number>,
  hz: number,
  rate: number,
  fullScale = 32768,
): number {
  const k = 2 * Math.cos((2 * Math.PI * hz) / rate);
  let one = 0;
  let two = 0;
  for (let i = 0; i < samples.length; i++) {
    const zero = (samples[i] ?? 0) / fullScale + k * one - two;
    two = one;
    one = zero;
  }
  return (
    (2 * Math.sqrt(Math.max(0, one * one + two * two - k * one * two))) /
    Math.max(1, samples.length)
  );
}

/**
 * The waveform of a sound for drawing: the peak of each of at most `count` equal stretches, 0 to 1.
 * Fed in chunks, so that an hour's recording is never held in memory.
 */
export class WaveformPeaks {
  #perPeak = 160;
  #filled = 0;
  #loudest = 0;
  readonly #peaks: number[] = [];

  constructor(private readonly count = 800) {}

  add(samples: Int16Array): void {
    for (const sample of samples) {
      this.#loudest = Math.max(this.#loudest, Math.abs(sample));
      if (++this.#filled < this.#perPeak) continue;
      this.#peaks.push(this.#loudest / 32768);
      this.#filled = 0;
      this.#loudest = 0;
      if (this.#peaks.length === this.count * 2) this.#halve();
    }
  }

  /** Rounded to two digits, which is all that a drawing shows. */
  read(): number[] {
    while (this.#peaks.length > this.count) this.#halve();
    return this.#peaks.map((peak) => Math.round(peak * 100) / 100);
  }

  #halve(): void {
    for (let i = 0; i < this.#peaks.length; i += 2)
      this.#peaks[i / 2] = Math.max(this.#peaks[i] ?? 0, this.#peaks[i + 1] ?? 0);
    this.#peaks.length = Math.ceil(this.#peaks.length / 2);
    this.#perPeak *= 2;
  }
}
