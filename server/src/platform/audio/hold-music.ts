/** Three generated pieces of hold music. Mono, 16 kHz. */
import { sampleRate } from './resample.ts';

interface Tune {
  /** Length of one step. Milliseconds. */
  stepMs: number;
  /** One note a step, in semitones from A4; null: a rest. */
  melody: (number | null)[];
  /** One chord every four steps, in semitones from A3. */
  chords: number[][];
  /** How fast a note fades, per second. */
  decay: number;
  /** Strength of the fundamental and its overtones. */
  overtones: number[];
}

/** `3 . 7`: notes in semitones, `.` for a rest. */
const notes = (text: string): (number | null)[] =>
  text
    .trim()
    .split(/\s+/)
    .map((note) => (note === '.' ? null : Number(note)));

/** `3 7 10 | 0 3 7`: chords of notes in semitones. */
const chords = (text: string): number[][] =>
  text.split('|').map((chord) => chord.trim().split(/\s+/).map(Number));

const tunes: Record<1 | 2 | 3, Tune> = {
  // Classic: a calm minuet-like line in C over broken triads.
  1: {
    stepMs: 280,
    melody: notes(`
      10 . 3 5 7 8 10 . 3 . 3 . 12 . 8 10
      12 14 15 . 3 . 3 . 8 10 8 7 5 7 8 7
      5 3 2 3 5 7 3 . . . . .
    `),
    chords: chords(`
      3 7 10 | 3 7 10 | 8 12 15 | 3 7 10 |
      8 12 15 | 3 7 10 | -2 2 5 | 3 7 10 |
      5 8 12 | -2 2 5 | 3 7 10
    `),
    decay: 3,
    overtones: [1, 0.35, 0.15],
  },
  // Light: slow soft chords, few notes.
  2: {
    stepMs: 450,
    melody: notes(`
      7 . . 5 3 . . . 10 . . 8 7 . . .
      12 . . 10 8 . 7 . 5 . . . 3 . . .
    `),
    chords: chords(`
      3 7 10 | 0 3 7 | 8 12 15 | 5 8 12 |
      8 12 15 | 3 7 10 | -2 2 5 | 3 7 10
    `),
    decay: 1.2,
    overtones: [1, 0.1],
  },
  // Upbeat: quick pentatonic steps with a bouncing bass.
  3: {
    stepMs: 190,
    melody: notes(`
      3 5 7 . 10 . 7 10 12 . 10 7 5 . 3 .
      3 5 7 10 . 12 . 15 12 . 10 . 7 5 3 .
      8 . 8 10 12 . 8 . 10 . 10 7 5 . 3 .
      3 . 7 . 10 12 15 . 12 10 7 5 3 . . .
    `),
    chords: chords(`
      3 7 10 | 3 7 10 | 8 12 15 | 3 7 10 |
      3 7 10 | 8 12 15 | -2 2 5 | 3 7 10 |
      8 12 15 | 8 12 15 | -2 2 5 | 3 7 10 |
      3 7 10 | 5 8 12 | -2 2 5 | 3 7 10
    `),
    decay: 5,
    overtones: [1, 0.5, 0.3, 0.1],
  },
};

/** Samples of a 5 ms fade, so that no note clicks. */
const fadeSamples = sampleRate / 200;

/**
 * One period of a sound with these overtones. Reading it at any pitch is a hundred times cheaper
 * than sines.
 */
function wavetableOf(overtones: number[]): Float32Array {
  return Float32Array.from({ length: 1024 }, (_, i) =>
    overtones.reduce(
      (sum, strength, n) => sum + strength * Math.sin((2 * Math.PI * (n + 1) * i) / 1024),
      0,
    ),
  );
}

/** A note to mix in: semitones from `baseHz`, and samples from the start of the piece. */
interface Note {
  semitones: number;
  baseHz: number;
  start: number;
  length: number;
  level: number;
}

function addNote(mix: Float32Array, note: Note, wavetable: Float32Array, decay: number): void {
  const stride = (note.baseHz * 2 ** (note.semitones / 12) * wavetable.length) / sampleRate;
  const length = Math.min(note.length, mix.length - note.start);
  const fadePerSample = Math.exp(-decay / sampleRate);
  let loudness = note.level;
  for (let i = 0; i < length; i++) {
    const fade = Math.min(1, i / fadeSamples, (length - i) / fadeSamples);
    const value = wavetable[Math.floor(i * stride) % wavetable.length] ?? 0;
    mix[note.start + i] = (mix[note.start + i] ?? 0) + value * fade * loudness;
    loudness *= fadePerSample;
  }
}

/**
 * One pass of a piece of hold music (A29: 1 classic, 2 light, 3 upbeat). An unknown id is classic.
 */
export function holdMusic(id: number): Int16Array {
  const tune = tunes[id as 1 | 2 | 3] ?? tunes[1];
  const wavetable = wavetableOf(tune.overtones);
  const stepSamples = Math.round((tune.stepMs * sampleRate) / 1000);
  const mix = new Float32Array(stepSamples * tune.melody.length);
  const play = (semitones: number, baseHz: number, step: number, steps: number, level: number) => {
    const [start, length] = [step * stepSamples, steps * stepSamples];
    addNote(mix, { semitones, baseHz, start, length, level }, wavetable, tune.decay);
  };
  tune.melody.forEach((note, step) => {
    if (note !== null) play(note, 440, step, 3, 0.16);
    const chord = tune.chords[Math.floor(step / 4) % tune.chords.length];
    const chordNote = chord?.[step % chord.length];
    if (chordNote !== undefined) play(chordNote, 220, step, 4, 0.08);
  });
  return Int16Array.from(mix, (value) => Math.tanh(value) * 32767 * 0.8);
}
