/** When someone speaks in a channel of sound, by its loudness alone: no model and no words. */

/** From and to, in milliseconds. */
export type VoiceSpan = [from: number, to: number];

const FRAME_MS = 20;
/** Quieter than this is never speech; what is this quiet counts as this quiet. Decibels of full scale. */
const QUIETEST_SPEECH = -50;
const QUIETEST = -70;
/** Speech that is never louder than this isn't there: line noise is. */
const LOUDEST_NOISE = -45;
/** Speech rises and falls; a tone or hum varies less. Decibels. */
const LEAST_VARIATION = 12;
const LEAST_ABOVE_NOISE = 9;
/** Once begun, speech goes on down to so much less. Decibels. */
const HYSTERESIS = 4;
/** Shorter sounds are clicks. */
const SHORTEST_MS = 100;
/** Shorter pauses are between syllables and words. */
const PAUSE_MS = 300;

/**
 * The spans in which there is speech, in order and apart. The limit between noise and speech follows
 * the recording's own noise, so that quiet lines and noisy ones are both told right.
 */
export function voiceSpans(samples: Int16Array, sampleRate: number): VoiceSpan[] {
  const levels = frameLevels(samples, Math.round((sampleRate * FRAME_MS) / 1000));
  const limit = speechLevel(levels);
  if (limit === null) return [];
  const spans: VoiceSpan[] = [];
  let from = -1;
  for (let i = 0; i <= levels.length; i++) {
    const level = levels[i] ?? QUIETEST;
    if (from < 0 ? level >= limit : level >= limit - HYSTERESIS) {
      if (from < 0) from = i;
    } else if (from >= 0) {
      addSpan(spans, [from * FRAME_MS, i * FRAME_MS]);
      from = -1;
    }
  }
  return spans.filter(([start, end]) => end - start >= SHORTEST_MS);
}

/** Appends a span, or extends the last one over a short pause. */
function addSpan(spans: VoiceSpan[], [from, to]: VoiceSpan): void {
  const last = spans.at(-1);
  if (last && from - last[1] <= PAUSE_MS) last[1] = to;
  else spans.push([from, to]);
}

/** The level of each frame in decibels of full scale, without a constant offset. */
function frameLevels(samples: Int16Array, size: number): Float32Array {
  const levels = new Float32Array(Math.floor(samples.length / size));
  for (let frame = 0; frame < levels.length; frame++) {
    let sum = 0;
    let squares = 0;
    for (let i = frame * size; i < (frame + 1) * size; i++) {
      const sample = samples[i] ?? 0;
      sum += sample;
      squares += sample * sample;
    }
    const power = squares / size - (sum / size) ** 2;
    levels[frame] = Math.max(QUIETEST, 10 * Math.log10(Math.max(power, 1e-9) / 32_768 ** 2));
  }
  return levels;
}

/** The level from which sound is speech; null: nothing in it is. */
function speechLevel(levels: Float32Array): number | null {
  const sorted = levels.toSorted();
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? QUIETEST;
  const [noise, loud] = [at(0.1), at(0.99)];
  const variation = loud - noise;
  if (loud < LOUDEST_NOISE || variation < LEAST_VARIATION) return null;
  return Math.max(QUIETEST_SPEECH, noise + Math.max(LEAST_ABOVE_NOISE, variation * 0.4));
}
