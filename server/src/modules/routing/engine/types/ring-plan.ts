/** What to ring, in which order, and what follows when no one answers. */
import type { Destination, Prompt } from '../../../../gateways/voice.ts';
import type { ConfirmKey } from './flow.ts';

/** A destination ready to ring. `key` (E.164, SIP URI or `user:7`) identifies it. */
export interface Target {
  key: string;
  to: Destination;
  label: string;
  callerId: string;
  forwardId: number | null;
  /** The team that it is rung with. Absent: by itself. */
  team?: { key: string; label: string } | undefined;
  timeoutSeconds: number;
  confirmKey?: ConfirmKey;
  digits?: string;
}

/**
 * Every forwarding type compiles to a list of these. The executor starts group 0 at once. A later
 * group starts `startAfter` seconds after the plan began or when nothing rings any more, whichever
 * comes first; `'previous'` = only when nothing rings any more.
 */
export interface RingGroup {
  targets: Target[];
  startAfter: number | 'previous';
  /** `key` null with a whisper = whisper only: the destination hears it and is then connected. */
  confirm: { key: ConfirmKey; waitSeconds: number; whisper: Prompt[] } | null;
}

/** What follows when no one answered the call. */
export type Ending =
  | { then: 'voicemail'; because: string }
  | { then: 'message'; prompts: Prompt[]; status: 8 | 10; because: string }
  /** Ring the user who transferred the call. */
  | { then: 'back'; target: Target; because: string }
  /** Keep the call in its parking slot. */
  | { then: 'park'; parked: Parked; because: string };

/** A call in a parking slot. At `until` (epoch ms) `by` is rung again. */
export interface Parked {
  slot: number;
  by: Target;
  since: number;
  until: number;
}

/** Ring groups in order, and what follows when none of them answers. */
export interface RingPlan {
  routeId: number | null;
  groups: RingGroup[];
  holdMusicId: number | null;
  otherwise: Ending;
}
