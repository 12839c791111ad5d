/** Sounds that nobody has to record: beep, ringing, keys, and three pieces of hold music. Mono, 16 kHz. */
import { sampleRate } from '../platform/audio/resample.ts';

/** Several sine tones at once, with 5 ms edges so that nothing clicks. `level` is the sum's peak, 0 to 1. */
export function tone(frequencies: number[], durationMs: number, level = 0.3): Int16Array {
  const length = Math.round((durationMs * sampleRate) / 1000);
  const edge = sampleRate / 200;
  return Int16Array.from({ length }, (_, i) => {
    const fade = Math.min(1, i / edge, (length - i) / edge);
    const sum = frequencies.reduce(
      (total, f) => total + Math.sin((2 * Math.PI * f * i) / sampleRate),
      0,
    );
    return (sum / frequencies.length) * fade * level * 32767;
  });
}

export const silence = (durationMs: number): Int16Array =>
  new Int16Array(Math.round((durationMs * sampleRate) / 1000));

export function concat(...parts: Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const beep = (): Int16Array => concat(tone([1000], 400), silence(100));

/** North American ringing: 440 and 480 Hz, two seconds of six. */
export const ringing = (): Int16Array => concat(tone([440, 480], 2000, 0.2), silence(4000));

/** Busy: 480 and 620 Hz, half a second of one. */
export const busy = (): Int16Array => concat(tone([480, 620], 500, 0.2), silence(500));

const dtmfRows = ['123A', '456B', '789C', '*0#D'];
const rowHz = [697, 770, 852, 941];
const columnHz = [1209, 1336, 1477, 1633];

/** The pair of tones of each key, 120 ms and a pause. What is not a key is silence. */
export function dtmfTones(digits: string): Int16Array {
  return concat(
    ...[...digits].map((digit) => {
      const row = dtmfRows.findIndex((keys) => keys.includes(digit));
      const column = dtmfRows[row]?.indexOf(digit) ?? -1;
      const pair = [rowHz[row], columnHz[column]].filter((f) => f !== undefined);
      return concat(pair.length === 2 ? tone(pair, 120, 0.3) : silence(120), silence(80));
    }),
  );
}

interface Tune {
  /** Length of one step, milliseconds. */
  stepMs: number;
  /** Semitones from A4 for each step; null rests. */
  melody: (number | null)[];
  /** A chord for every four steps, semitones from A3. */
  chords: number[][];
  /** How fast a note dies away, per second. */
  decay: number;
  overtones: number[];
}

const tunes: Record<1 | 2 | 3, Tune> = {
  // Classic: a calm minuet-like line in C over broken triads.
  1: {
    stepMs: 280,
    melody: [
      10,
      null,
      3,
      5,
      7,
      8,
      10,
      null,
      3,
      null,
      3,
      null,
      12,
      null,
      8,
      10,
      12,
      14,
      15,
      null,
      3,
      null,
      3,
      null,
      8,
      10,
      8,
      7,
      5,
      7,
      8,
      7,
      5,
      3,
      2,
      3,
      5,
      7,
      3,
      null,
      null,
      null,
      null,
      null,
    ],
    chords: [
      [3, 7, 10],
      [3, 7, 10],
      [8, 12, 15],
      [3, 7, 10],
      [8, 12, 15],
      [3, 7, 10],
      [-2, 2, 5],
      [3, 7, 10],
      [5, 8, 12],
      [-2, 2, 5],
      [3, 7, 10],
    ],
    decay: 3,
    overtones: [1, 0.35, 0.15],
  },
  // Light: slow soft chords, few notes.
  2: {
    stepMs: 450,
    melody: [
      7,
      null,
      null,
      5,
      3,
      null,
      null,
      null,
      10,
      null,
      null,
      8,
      7,
      null,
      null,
      null,
      12,
      null,
      null,
      10,
      8,
      null,
      7,
      null,
      5,
      null,
      null,
      null,
      3,
      null,
      null,
      null,
    ],
    chords: [
      [3, 7, 10],
      [0, 3, 7],
      [8, 12, 15],
      [5, 8, 12],
      [8, 12, 15],
      [3, 7, 10],
      [-2, 2, 5],
      [3, 7, 10],
    ],
    decay: 1.2,
    overtones: [1, 0.1],
  },
  // Upbeat: quick pentatonic steps with a bouncing bass.
  3: {
    stepMs: 190,
    melody: [
      3,
      5,
      7,
      null,
      10,
      null,
      7,
      10,
      12,
      null,
      10,
      7,
      5,
      null,
      3,
      null,
      3,
      5,
      7,
      10,
      null,
      12,
      null,
      15,
      12,
      null,
      10,
      null,
      7,
      5,
      3,
      null,
      8,
      null,
      8,
      10,
      12,
      null,
      8,
      null,
      10,
      null,
      10,
      7,
      5,
      null,
      3,
      null,
      3,
      null,
      7,
      null,
      10,
      12,
      15,
      null,
      12,
      10,
      7,
      5,
      3,
      null,
      null,
      null,
    ],
    chords: [
      [3, 7, 10],
      [3, 7, 10],
      [8, 12, 15],
      [3, 7, 10],
      [3, 7, 10],
      [8, 12, 15],
      [-2, 2, 5],
      [3, 7, 10],
      [8, 12, 15],
      [8, 12, 15],
      [-2, 2, 5],
      [3, 7, 10],
      [3, 7, 10],
      [5, 8, 12],
      [-2, 2, 5],
      [3, 7, 10],
    ],
    decay: 5,
    overtones: [1, 0.5, 0.3, 0.1],
  },
};

/** One swing of a sound with these overtones, to be read at any pitch: a hundred times cheaper than sines. */
function waveOf(overtones: number[]): Float32Array {
  return Float32Array.from({ length: 1024 }, (_, i) =>
    overtones.reduce(
      (sum, strength, n) => sum + strength * Math.sin((2 * Math.PI * (n + 1) * i) / 1024),
      0,
    ),
  );
}

/** One turn of a piece of hold music (decisions A29: 1 classic, 2 light, 3 upbeat); an unknown id is classic. */
export function holdMusic(id: number): Int16Array {
  const tune = tunes[id as 1 | 2 | 3] ?? tunes[1];
  const wave = waveOf(tune.overtones);
  const fading = Math.exp(-tune.decay / sampleRate);
  const stepSamples = Math.round((tune.stepMs * sampleRate) / 1000);
  const mix = new Float32Array(stepSamples * tune.melody.length);
  const strike = (
    semitones: number,
    a: number,
    step: number,
    steps: number,
    level: number,
  ): void => {
    const stride = (a * 2 ** (semitones / 12) * wave.length) / sampleRate;
    const begin = step * stepSamples;
    const length = Math.min(stepSamples * steps, mix.length - begin);
    let loudness = level;
    for (let i = 0; i < length; i++) {
      // Edges of 5 ms, so that no note clicks.
      const edge = i < 80 ? i / 80 : length - i < 80 ? (length - i) / 80 : 1;
      mix[begin + i] =
        (mix[begin + i] as number) +
        (wave[Math.floor(i * stride) % wave.length] as number) * edge * loudness;
      loudness *= fading;
    }
  };
  tune.melody.forEach((note, step) => {
    if (note !== null) strike(note, 440, step, 3, 0.16);
    const chord = tune.chords[Math.floor(step / 4) % tune.chords.length];
    const chordNote = chord?.[step % chord.length];
    if (chordNote !== undefined) strike(chordNote, 220, step, 4, 0.08);
  });
  return Int16Array.from(mix, (value) => Math.tanh(value) * 32767 * 0.8);
}
