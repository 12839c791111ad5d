/**
 * Several people in one conversation: each hears everybody who may be heard by them, and never themselves. Voices come as
 * they come; every 20 ms one frame of each is taken, added up for each ear, and coded once for it.
 */
import { frameSamples } from '../platform/audio/resample.ts';
import type { Leg, AudioFrame } from './leg.ts';
import { StreamDecoder, StreamEncoder, silentFrame } from './opus.ts';

export interface RoomRole {
  role: 'talk' | 'listen' | 'whisper';
  /** Whom a whisper is for. */
  to: ReadonlySet<string>;
}

/** Sound kept per voice: enough for packets that come in pairs, never so much that it lags. */
const maxBufferedSamples = 6 * frameSamples;
const initialBufferSamples = 2 * frameSamples;

class Member {
  readonly encoder = new StreamEncoder();
  #ear: StreamDecoder | null = null;
  #kept = new Int16Array(maxBufferedSamples);
  #length = 0;
  /** A voice that paused is let gather for a moment, so that it does not stutter. */
  #flows = false;
  frame: Int16Array | null = null;

  constructor(public role: RoomRole) {}

  push(frame: AudioFrame): void {
    const pcm = frame.pcm ?? (this.#ear ??= new StreamDecoder()).decode(frame.opus);
    const fits = Math.min(pcm.length, maxBufferedSamples);
    const drop = Math.max(0, this.#length + fits - maxBufferedSamples);
    if (drop > 0) {
      this.#kept.copyWithin(0, drop, this.#length);
      this.#length -= drop;
    }
    this.#kept.set(pcm.subarray(pcm.length - fits), this.#length);
    this.#length += fits;
  }

  advance(): void {
    if (!this.#flows && this.#length >= initialBufferSamples) this.#flows = true;
    if (!this.#flows || this.#length < frameSamples) {
      this.#flows = false;
      this.frame = null;
      return;
    }
    this.frame = this.#kept.slice(0, frameSamples);
    this.#kept.copyWithin(0, frameSamples, this.#length);
    this.#length -= frameSamples;
  }

  release(): void {
    this.#ear?.release();
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

  roleOf(leg: Leg): RoomRole | null {
    return this.#members.get(leg)?.role ?? null;
  }

  join(leg: Leg, role: RoomRole): void {
    const member = this.#members.get(leg);
    if (member) member.role = role;
    else this.#members.set(leg, new Member(role));
  }

  leave(leg: Leg): void {
    this.#members.get(leg)?.release();
    this.#members.delete(leg);
  }

  /** Whether one hears the other here. */
  canHear(listener: Leg, talker: Leg): boolean {
    const speaker = this.#members.get(talker);
    if (listener === talker || !speaker || !this.#members.has(listener)) return false;
    return (
      speaker.role.role === 'talk' ||
      (speaker.role.role === 'whisper' && speaker.role.to.has(listener.id))
    );
  }

  /** Somebody here said something. */
  push(leg: Leg, frame: AudioFrame): void {
    const member = this.#members.get(leg);
    if (member && member.role.role !== 'listen') member.push(frame);
  }

  /** Every 20 ms, before the legs. */
  tick(): void {
    for (const member of this.#members.values()) member.advance();
  }

  /** What this leg hears now, in Opus. */
  frameFor(leg: Leg): Buffer {
    const own = this.#members.get(leg);
    const voices = [...this.#members].flatMap(([other, { frame }]) =>
      frame && this.canHear(leg, other) ? [frame] : [],
    );
    if (!own || voices.length === 0) return silentFrame;
    return own.encoder.encode(mix(voices));
  }
}

/** Voices added up; what is too loud together is cut off at full scale. */
export function mix(voices: readonly Int16Array[]): Int16Array {
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
