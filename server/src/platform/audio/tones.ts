/** Generated sounds: beep, ringing, busy and DTMF keys. Mono, 16 kHz. */
import { sampleRate } from './resample.ts';

/** Sine tones played at once, with 5 ms fades against clicks. `level`: peak of the sum, 0 to 1. */
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

/** Silence of so many milliseconds. */
const silence = (durationMs: number): Int16Array =>
  new Int16Array(Math.round((durationMs * sampleRate) / 1000));

/** Sounds one after the other. */
function concat(...parts: Int16Array[]): Int16Array {
  const all = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The voicemail beep: 400 ms at 1 kHz, then 100 ms of silence. */
export const beep = (): Int16Array => concat(tone([1000], 400), silence(100));

/** North American ringback: 440 and 480 Hz, two seconds of six. */
export const ringing = (): Int16Array => concat(tone([440, 480], 2000, 0.2), silence(4000));

/** Busy: 480 and 620 Hz, half a second of one. */
export const busy = (): Int16Array => concat(tone([480, 620], 500, 0.2), silence(500));

const dtmfRows = ['123A', '456B', '789C', '*0#D'];
const rowHz = [697, 770, 852, 941];
const columnHz = [1209, 1336, 1477, 1633];

/** The DTMF tones of each key, 120 ms and a pause of 80 ms. Anything else is silence. */
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
