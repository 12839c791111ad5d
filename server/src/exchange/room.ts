/**
 * A conference room: each leg hears the others as their roles allow, and never itself. Audio is
 * buffered as it arrives; every 20 ms one frame of each leg is mixed for each listener and encoded
 * once for it.
 */
import { frameSamples } from '../platform/audio/resample.ts';
import type { Leg } from './leg.ts';
import type { AudioFrame } from './leg-types.ts';
import { StreamDecoder, StreamEncoder, silentFrame } from './opus.ts';

export interface RoomRole {
  /** `talk`: heard by all. `whisper`: heard by `to` only. `listen`: heard by no one. */
  role: 'talk' | 'listen' | 'whisper';
  /** Ids of the legs that hear a whisper. */
  to: ReadonlySet<string>;
}

/** Audio buffered per leg: enough for packets that come in pairs, never so much that it lags. */
const maxBufferedSamples = 6 * frameSamples;
const initialBufferSamples = 2 * frameSamples;

class Member {
  readonly encoder = new StreamEncoder();
  #decoder: StreamDecoder | null = null;
  #buffer = new Int16Array(maxBufferedSamples);
  /** Samples in the buffer. */
  #length = 0;
  /** After a pause a few frames are buffered first, so that the audio does not stutter. */
  #isFlowing = false;
  /** The leg's audio of the current tick; null: silence. */
  frame: Int16Array | null = null;

  constructor(public role: RoomRole) {}

  push(frame: AudioFrame): void {
    const pcm = frame.pcm ?? (this.#decoder ??= new StreamDecoder()).decode(frame.opus);
    const taken = Math.min(pcm.length, maxBufferedSamples);
    const drop = Math.max(0, this.#length + taken - maxBufferedSamples);
    if (drop > 0) {
      this.#buffer.copyWithin(0, drop, this.#length);
      this.#length -= drop;
    }
    this.#buffer.set(pcm.subarray(pcm.length - taken), this.#length);
    this.#length += taken;
  }

  advance(): void {
    if (!this.#isFlowing && this.#length >= initialBufferSamples) this.#isFlowing = true;
    if (!this.#isFlowing || this.#length < frameSamples) {
      this.#isFlowing = false;
      this.frame = null;
      return;
    }
    this.frame = this.#buffer.slice(0, frameSamples);
    this.#buffer.copyWithin(0, frameSamples, this.#length);
    this.#length -= frameSamples;
  }

  release(): void {
    this.#decoder?.release();
    this.encoder.release();
  }
}

export class Room {
  readonly #members = new Map<Leg, Member>();

  get size(): number {
    return this.#members.size;
  }

  legs(): Leg[] {
    return [...this.#members.keys()];
  }

  /** Null when the leg is not in this room. */
  roleOf(leg: Leg): RoomRole | null {
    return this.#members.get(leg)?.role ?? null;
  }

  /** Joins, or changes the role. */
  join(leg: Leg, role: RoomRole): void {
    const member = this.#members.get(leg);
    if (member) member.role = role;
    else this.#members.set(leg, new Member(role));
  }

  leave(leg: Leg): void {
    this.#members.get(leg)?.release();
    this.#members.delete(leg);
  }

  /** Whether `listener` hears `talker` here. */
  canHear(listener: Leg, talker: Leg): boolean {
    const member = this.#members.get(talker);
    if (listener === talker || !member || !this.#members.has(listener)) return false;
    return (
      member.role.role === 'talk' ||
      (member.role.role === 'whisper' && member.role.to.has(listener.id))
    );
  }

  /** Audio of a leg in this room. */
  push(leg: Leg, frame: AudioFrame): void {
    const member = this.#members.get(leg);
    if (member && member.role.role !== 'listen') member.push(frame);
  }

  /** Every 20 ms, before the legs. */
  tick(): void {
    for (const member of this.#members.values()) member.advance();
  }

  /** What this leg hears in the current tick, as Opus. */
  frameFor(leg: Leg): Buffer {
    const own = this.#members.get(leg);
    const voices = [...this.#members].flatMap(([other, { frame }]) =>
      frame && this.canHear(leg, other) ? [frame] : [],
    );
    if (!own || voices.length === 0) return silentFrame;
    return own.encoder.encode(mix(voices));
  }
}

/** Adds up one frame of each voice, clipped at full scale. */
function mix(voices: readonly Int16Array[]): Int16Array {
  const [first] = voices;
  if (voices.length === 1 && first) return first;
  const sum = new Int16Array(frameSamples);
  for (let i = 0; i < frameSamples; i++) {
    let value = 0;
    for (const voice of voices) value += voice[i] ?? 0;
    sum[i] = Math.max(-32768, Math.min(32767, value));
  }
  return sum;
}
