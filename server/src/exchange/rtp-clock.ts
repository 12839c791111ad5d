/**
 * Numbers the packets that go out to one leg. The sources change (silence, a greeting, the other
 * party) and each has its own numbers. What goes out is one stream whose timestamp follows the wall
 * clock; otherwise the receiver's jitter buffer grows with every pause, to a third of a second of
 * delay (measured).
 */

/** RTP timestamps of Opus count at 48 kHz, whatever its sample rate (RFC 7587). */
export const ticksPerMs = 48;
const frameTicks = 960;

/**
 * Further than this from the wall clock, a source is aligned again (its clock drifts, or it
 * paused).
 */
const clockToleranceTicks = 150 * ticksPerMs;

export interface RtpStamp {
  sequenceNumber: number;
  timestamp: number;
  /** The first packet after a change of source. */
  marker: boolean;
}

export class RtpClock {
  #source: unknown = null;
  #sequenceShift = 0;
  #timestampShift = 0;
  #lastSequence: number;
  /** Unwrapped, in ticks since `#startedMs`. */
  #last = -frameTicks;
  #startedMs: number | null = null;
  readonly #origin: number;

  constructor(random: () => number = Math.random) {
    this.#lastSequence = Math.floor(random() * 0x8000);
    this.#origin = Math.floor(random() * 0x8000_0000);
  }

  /**
   * The stamp for a packet that `source` numbered like this. Packets of one source keep their
   * distances (a lost one leaves a gap), so the receiver can tell loss from silence. `timestamp` is
   * unwrapped or wraps at 2^32.
   */
  stamp(source: unknown, sequenceNumber: number, timestamp: number, nowMs: number): RtpStamp {
    this.#startedMs ??= nowMs;
    const wall = Math.round((nowMs - this.#startedMs) * ticksPerMs);
    let at = unwrap(timestamp + this.#timestampShift, this.#last);
    const realigned = source !== this.#source || Math.abs(at - wall) > clockToleranceTicks;
    if (realigned) {
      this.#source = source;
      at = Math.max(wall, this.#last + frameTicks);
      this.#timestampShift = at - timestamp;
      this.#sequenceShift = this.#lastSequence + 1 - sequenceNumber;
    }
    const sequence = (((sequenceNumber + this.#sequenceShift) % 65536) + 65536) % 65536;
    const ahead = (sequence - this.#lastSequence + 65536) % 65536;
    if (ahead < 0x8000) {
      this.#lastSequence = sequence;
      this.#last = Math.max(this.#last, at);
    }
    return {
      sequenceNumber: sequence,
      timestamp: (((this.#origin + at) % 0x1_0000_0000) + 0x1_0000_0000) % 0x1_0000_0000,
      marker: realigned,
    };
  }
}

/** The value nearest to `near` that equals `value` modulo 2^32. */
function unwrap(value: number, near: number): number {
  return value + Math.round((near - value) / 0x1_0000_0000) * 0x1_0000_0000;
}
