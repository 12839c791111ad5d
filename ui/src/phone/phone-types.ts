type LineState =
  /** An inbound call. */
  | 'ringing'
  /** An outbound call that was not answered yet. */
  | 'dialling'
  | 'answered';

/** One call of this phone; removed from `snapshot().lines` when it ends. */
export interface Line {
  leg: string;
  direction: 'in' | 'out';
  state: LineState;
  /** The number shown. */
  from: string;
  to: string;
  callerName: string | null;
  /** True while the other party holds this call (music plays). */
  held: boolean;
  /** Epoch milliseconds. */
  startedAt: number;
  answeredAt: number | null;
}

export type Microphone =
  | { kind: 'device'; deviceId: string | null }
  | { kind: 'synthetic'; because: 'chosen' | 'none' | 'refused' };

export interface PhoneSnapshot {
  /** `joining` also while reconnecting after a lost connection. */
  connection: 'left' | 'joining' | 'ready' | 'refused';
  lines: readonly Line[];
  muted: boolean;
  microphone: Microphone;
}

export interface MediaClientOptions {
  /** Base of the media plane, e.g. `/media`. */
  url: string;
  /** Called before each join and rejoin; must return a fresh token. */
  token: () => Promise<string>;
  /** Uses no microphone. `toneHz`: the synthetic voice is a steady tone (tests). */
  synthetic?: boolean | { toneHz: number };
  onRing?: (line: Line) => void;
  /** `because`: hangup, answeredElsewhere, timeout, callerLeft, busy, declined, noAnswer, failed, rejected, … */
  onEnded?: (line: Line, because: string) => void;
  onState?: (snapshot: PhoneSnapshot) => void;
  /** Remote audio of one call (already playing), for level meters; null when it ends. */
  onRemoteStream?: (leg: string, stream: MediaStream | null) => void;
  /** The other party pressed keys. */
  onKeys?: (leg: string, digits: string) => void;
  /**
   * Handsets only: captions of what this phone hears. `kind`: say, play, ring, hold, bridge, beep,
   * keys.
   */
  onCaption?: (leg: string, kind: string, what: string) => void;
}
