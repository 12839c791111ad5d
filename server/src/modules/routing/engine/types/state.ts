/** A call as the engine stores it. Plain JSON: it survives a restart as one jsonb column. */
import type { LegEndCause, LegId } from '../../../../gateways/voice.ts';
import type { Flow } from './flow.ts';
import type { EngineInputs, Outbound } from './inputs.ts';
import type { Parked, RingPlan, Target } from './ring-plan.ts';

/** Call status codes of A5.1. 5 and 9 apply to legs only. */
export type StatusCode = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13;
/** The codes a call can end with. */
export type FinalCode = 3 | 4 | 7 | 8 | 10 | 11 | 12 | 13;

/** A leg beside the conversation: a third party being added, or consulted before a transfer. */
interface SideCall {
  leg: LegId;
  /**
   * `add` joins the conversation on answer; `consult` talks with `by` only, the other party holds.
   */
  for: 'add' | 'consult';
  /** The leg of the user who started it. */
  by: LegId;
  /** `waiting`: swapped; on hold while `by` talks with the other party. */
  state: 'ringing' | 'talking' | 'waiting';
}

/** A supervisor who monitors the call. */
export interface Monitor {
  leg: LegId;
  userId: number;
  mode: 'listen' | 'whisper' | 'barge';
}

type LegState = 'ringing' | 'answered' | 'confirming' | 'connected' | 'leaving' | 'ended';

/** State `leaving`: a hangup or cancel was commanded, `legEnded` has not arrived yet. */
export interface Leg {
  id: LegId;
  /** `monitor`: a supervisor, who is not a party to the call. */
  role: 'caller' | 'agent' | 'target' | 'monitor';
  state: LegState;
  target: Target | null;
  group: number | null;
  startedAt: number;
  answeredAt: number | null;
  endedAt: number | null;
  cause: LegEndCause | null;
}

export interface Timer {
  id: string;
  /** Epoch milliseconds. */
  at: number;
}

/** A9.1 `history[]` without `actor`. `code` null = not a status of A5.1 (hold, recording). */
export interface HistoryEntry {
  at: number;
  code: StatusCode | null;
  label: string;
  leg: LegId | null;
  target: string | null;
  detail: string | null;
}

/** One routing decision with its reason, identical on the call record and in `simulate` (A7.2). */
export interface PathStep {
  at: number;
  node:
    | 'start'
    | 'screen'
    | 'menu'
    | 'route'
    | 'hours'
    | 'announcement'
    | 'ring'
    | 'confirm'
    | 'connect'
    | 'voicemail'
    | 'message'
    | 'end';
  rule: string;
  matched: boolean;
  because: string;
  target: string | null;
}

export interface AnsweredBy {
  type: 'user' | 'forward' | 'app' | 'voicemail';
  id: number | null;
  label: string;
  number: string | null;
}

export interface RecordingFact {
  recordingId: string;
  kind: 'call' | 'voicemail';
  /** `kept`: recordingReady arrived. `lost`: the process that was recording died. */
  state: 'running' | 'stopped' | 'kept' | 'lost';
  durationMs: number | null;
}

/** What the call record copies after each step. Times are epoch ms. */
export interface CallFacts {
  /** Current status: 1, 2, 6 or 12 while the call runs, the outcome's status at the end. */
  status: StatusCode;
  startedAt: number;
  ringingAt: number | null;
  /** First answer by a person (not by the menu or voicemail). */
  answeredAt: number | null;
  connectedAt: number | null;
  endedAt: number | null;
  ringSeconds: number;
  talkSeconds: number;
  answeredBy: AnsweredBy | null;
  routeId: number | null;
  extension: number | null;
  extensionLabel: string | null;
  recordings: RecordingFact[];
  endedBy: 'caller' | 'callee' | 'us' | null;
  abandoned: 'menu' | 'ringing' | 'voicemail' | 'hold' | 'transfer' | null;
  /** The chosen route's email alert addresses (B §3), mailed when the call has ended. */
  emailAlertAddresses: string[];
  onHold: boolean;
}

/** How the call ended. Set once, never changed. */
export interface Outcome {
  status: FinalCode;
  at: number;
  because: string;
}

export type Phase =
  /** Recording notice playing to the caller. */
  | { name: 'announcing'; commandId: string; plan: RingPlan }
  /** `screening`: the caller is asked to press 1, before any menu. */
  | { name: 'menu'; commandId: string; attempt: number; screening?: boolean }
  /** Outbound: the agent's own leg is being set up. */
  | { name: 'calling'; outbound: Outbound }
  /**
   * `winner`: answered and hearing the whisper; all other legs are released. `offered` and
   * `refused` count legs.
   */
  | {
      name: 'ringing';
      plan: RingPlan;
      beganAt: number;
      nextGroup: number;
      offered: number;
      refused: number;
      winner: { leg: LegId; commandId: string } | null;
    }
  /** `more`: third parties in the conversation. */
  | { name: 'connected'; legs: [LegId, LegId]; held: boolean; more?: LegId[]; aside?: SideCall }
  | { name: 'parked'; parked: Parked }
  | { name: 'voicemailGreeting'; commandId: string }
  | { name: 'voicemail'; recordingId: string }
  /** The final message before we hang up. */
  | { name: 'closing'; commandId: string; status: FinalCode; because: string }
  | { name: 'over' };

export interface CallState {
  version: 1;
  callId: string;
  kind: 'inbound' | 'outbound';
  flow: Flow;
  from: string;
  to: string;
  callerName: string | null;
  callerState: string | null;
  world: EngineInputs;
  /** Index of the next random number in `world.draw`. */
  draws: number;
  /** Counter for the ids of commands, legs, recordings and timers. */
  next: number;
  phase: Phase;
  /**
   * The leg the call belongs to: the caller inbound, the agent outbound. A transfer may change it.
   */
  firstLeg: LegId;
  /**
   * The first leg has audio: `answer` was commanded (inbound), the agent's app joined (outbound).
   */
  answered: boolean;
  /** The first leg hears our hold music or ringback. */
  waiting: boolean;
  /** The recording notice was played. */
  announced: boolean;
  /** The welcome was played; once per call. */
  welcomed?: boolean | undefined;
  legs: Leg[];
  /** Confirm-key gathers running on target legs: command id → leg. */
  confirming: Record<string, LegId>;
  /** Destinations that were busy or declined: not dialed again in this call. */
  refusedKeys: string[];
  /** Routes already entered, to detect loops. */
  visited: number[];
  timers: Timer[];
  history: HistoryEntry[];
  path: PathStep[];
  facts: CallFacts;
  outcome: Outcome | null;
  /** Supervisors; their legs are in `legs` with the role `monitor`. */
  monitors?: Monitor[];
  /** The conference room of more than two people: leg → role as last sent to the carrier. */
  room?: { id: string; roles: Record<LegId, string> };
  /** The channels of the running recording as last sent to the carrier. */
  sides?: [LegId[], LegId[]];
}
