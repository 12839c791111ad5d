/** What legs, rooms, devices and recordings share. */
import type { Sound } from './sounds.ts';

/** 20 ms of audio from a far end. */
export interface AudioFrame {
  opus: Buffer;
  /** The same decoded, where that is known already. */
  pcm?: Int16Array;
  /** Sequence numbers and timestamps are continuous within one source. */
  source: unknown;
  sequenceNumber: number;
  timestamp: number;
}

/** Who is at the other end: an outside phone, or the devices of a user (or one of them). */
export type FarEnd =
  | { kind: 'phone'; number: string }
  | { kind: 'app'; userId: number; companyId: number | null; device: string | null };
/** What kind of audio the far end was given. */
export type HeardKind = 'say' | 'play' | 'ring' | 'hold' | 'bridge' | 'beep' | 'keys';

/** Text that the exchange spoke in place of a phone. `performance.now()` milliseconds. */
export interface SpokenText {
  text: string;
  atMs: number;
  untilMs: number;
}

/** Hold music or ringing that a leg hears. */
export interface HoldMusic {
  /** Null while it is being made. */
  sound: Sound | null;
  /** The next frame. */
  at: number;
  musicId: number | null;
}
