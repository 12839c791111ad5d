/**
 * Several people in one conversation: each hears everybody who may be heard by them, and never themselves. Voices come as
 * they come; every 20 ms one frame of each is taken, added up for each ear, and coded once for it.
 */
import { frameSamples } from '../../../platform/audio/resample.ts';
import type { Leg, Voice } from './leg.ts';
import { Ear, Mouth, silentFrame } from './opus.ts';

export interface Seat {
  role: 'talk' | 'listen' | 'whisper';
  /** Whom a whisper is for. */
  to: ReadonlySet<string>;
}

/** Sound kept per voice: enough for packets that come in pairs, never so much that it lags. */
const mostKept = 6 * frameSamples;
const firstKept = 2 * frameSamples;

class Member {
  readonly mouth = new Mouth();
  #ear: Ear | null = null;
  #kept = new Int16Array(mostKept);
  #length = 0;
  /** A voice that paused is let gather for a moment, so that it does not stutter. */
  #flows = false;
  frame: Int16Array | null = null;

  constructor(public seat: Seat) {}

  hear(voice: Voice): void {
    const pcm = voice.pcm ?? (this.#ear ??= new Ear()).hear(voice.opus);
    const fits = Math.min(pcm.length, mostKept);
    const drop = Math.max(0, this.#length + fits - mostKept);
    if (drop > 0) {
      this.#kept.copyWithin(0, drop, this.#length);
      this.#length -= drop;
    }
    this.#kept.set(pcm.subarray(pcm.length - fits), this.#length);
    this.#length += fits;
  }

  take(): void {
    if (!this.#flows && this.#length >= firstKept) this.#flows = true;
    if (!this.#flows || this.#length < frameSamples) {
      this.#flows = false;
      this.frame = null;
      return;
    }
    this.frame = this.#kept.slice(0, frameSamples);
    this.#kept.copyWithin(0, frameSamples, this.#length);
    this.#length -= frameSamples;
  }

  done(): void {
    this.#ear?.done();
    this.mouth.done();
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

  seatOf(leg: Leg): Seat | null {
    return this.#members.get(leg)?.seat ?? null;
  }

  sit(leg: Leg, seat: Seat): void {
    const member = this.#members.get(leg);
    if (member) member.seat = seat;
    else this.#members.set(leg, new Member(seat));
  }

  rise(leg: Leg): void {
    this.#members.get(leg)?.done();
    this.#members.delete(leg);
  }

  /** Whether one hears the other here. */
  hears(ear: Leg, mouth: Leg): boolean {
    const speaker = this.#members.get(mouth);
    if (ear === mouth || !speaker || !this.#members.has(ear)) return false;
    return (
      speaker.seat.role === 'talk' ||
      (speaker.seat.role === 'whisper' && speaker.seat.to.has(ear.id))
    );
  }

  /** Somebody here said something. */
  say(leg: Leg, voice: Voice): void {
    const member = this.#members.get(leg);
    if (member && member.seat.role !== 'listen') member.hear(voice);
  }

  /** Every 20 ms, before the legs. */
  tick(): void {
    for (const member of this.#members.values()) member.take();
  }

  /** What this leg hears now, in Opus. */
  frameFor(leg: Leg): Buffer {
    const own = this.#members.get(leg);
    const voices = [...this.#members].flatMap(([other, { frame }]) =>
      frame && this.hears(leg, other) ? [frame] : [],
    );
    if (!own || voices.length === 0) return silentFrame;
    return own.mouth.say(mixed(voices));
  }
}

/** Voices added up; what is too loud together is cut off at full scale. */
export function mixed(voices: readonly Int16Array[]): Int16Array {
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
