import type { Leg } from './leg.ts';
import type { AudioFrame } from './leg-types.ts';
import type { Recording } from './recording.ts';

/** Records these legs, each side on its channel. Returns a function that stops it. */
export function attachListeners(recording: Recording, sides: readonly Leg[][]): () => void {
  const stops = sides.flatMap((legs, channel) =>
    legs.map((leg) => {
      const listener = (frame: AudioFrame, nowMs: number): void =>
        recording.write(channel, leg, frame, nowMs);
      leg.listeners.add(listener);
      return () => leg.listeners.delete(listener);
    }),
  );
  return () => stops.forEach((stop) => stop());
}
