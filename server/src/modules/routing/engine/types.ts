/**
 * The words of the call engine: what it is given (Flow, Inbound, World), what it keeps (CallState) and what it
 * answers (StepResult). Everything here is plain JSON: a state survives a restart as one jsonb column.
 * How a host drives it stands in README.md beside this file.
 */
import type {
  Destination,
  LegEndCause,
  LegId,
  Prompt,
  VoiceCommand,
  VoiceEvent,
} from '../../../gateways/voice.ts';
import type { Hours } from './hours.ts';

/** A5.1. 5 and 9 are only ever said of a leg; 3, 4, 7, 8, 10, 11, 12, 13 can be a call's own last word. */
export type StatusCode = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13;
export type FinalCode = 3 | 4 | 7 | 8 | 10 | 11 | 12 | 13;

export type RouteType =
  | 'standard'
  | 'simultaneous'
  | 'sequential'
  | 'geo'
  | 'voicemail'
  | 'in-app-calling';

/** A7.1. `'0'`–`'9'`, 65535 star, 65534 pound; null = whoever picks up is connected at once. */
export type ConfirmKey = string | null;

/** One destination of a route, as configured. Exactly one of `number` and `userId` is set (`number` may be `sip:…`). */
export interface Forward {
  id: number | null;
  number: string | null;
  userId: number | null;
  label: string;
  /** 1–100; null = an equal share. Read by standard and by weighted round robin. */
  weight: number | null;
  /** Seconds this destination rings; null = the route's timeout. */
  timeoutSeconds: number | null;
  /** This destination's own hours; null = always. */
  hours: Hours | null;
  areaCodes: string[];
  states: string[];
  callerId: 'pass' | 'tracking' | 'custom' | null;
  customCallerId: string | null;
  /** A key of this destination's own; left out = the route's. */
  confirmKey?: ConfirmKey;
  /** Dialled as soon as it picks up: an extension behind a switchboard. A comma waits. */
  digits?: string;
}

export type AfterHours =
  | { action: 'voicemail' }
  | { action: 'forward'; number: string }
  | { action: 'greeting'; prompts: Prompt[] }
  | { action: 'route'; routeId: number };

export interface Route {
  id: number;
  extension: number;
  label: string;
  type: RouteType;
  forwards: Forward[];
  hours: Hours | null;
  /** Seconds between legs of a simultaneous route; null = all at once (A7.1: `stagger` true = 5). */
  staggerSeconds: number | null;
  roundRobin: 'none' | 'strict' | 'least_recent' | 'weighted';
  /** A29 hold music; null = ring back. */
  holdMusicId: number | null;
  callerIdPassThru: boolean;
  confirmKey: ConfirmKey;
  confirmWaitSeconds: number;
  /** Heard by the destination before the caller; empty = none. */
  whisper: string;
  timeoutSeconds: number;
  geoByState: boolean;
  geoByStateStaticFallback: boolean;
  emailAlertAddresses: string[];
  voicemail: { enabled: boolean; greeting: Prompt[] | null };
  afterHours: AfterHours | null;
}

/** Several routes with extensions ask the caller to choose. */
export interface Menu {
  greeting: Prompt[];
  retryPrompt: Prompt[];
  /** Said before the menu is repeated when no key was pressed. Left out in calls begun by an earlier release. */
  silencePrompt?: Prompt[];
  /** How often the menu is said in all before the fallback. */
  attempts: number;
  waitSeconds: number;
  /** Digits of the longest extension. */
  maxDigits: number;
  /** Who gets a caller that chose nothing: a route, or null for the number's voicemail. */
  fallbackRouteId: number | null;
}

/** A user of the company, as seen at call start. `reachable`: in-app calling is active and a device is connected. */
export interface Person {
  userId: number;
  name: string;
  reachable: boolean;
  /** Hours of their own; null or absent = always. */
  hours?: Hours | null | undefined;
}

/**
 * A number's configuration, compiled and frozen when the call starts: later edits never touch a running call.
 * Made by `compileFlow`, embedded in the state.
 */
export interface Flow {
  version: 1;
  company: { id: number; name: string };
  number: { id: number; number: string; label: string };
  /** `parked`: the account is parked or the number no longer serves; callers hear so, or reach voicemail. */
  service: 'active' | 'parked' | 'notInService';
  /** Why this caller is refused (block list, spam screen); null = welcome. */
  blocked: string | null;
  /** Why no further call is taken now (simultaneous-call limit); null = there is room. */
  full: string | null;
  /** How many of the company's own numbers this call already came through (loop guard: 5 → voicemail). */
  hops: number;
  /** Other numbers of the company that forward back to this one: never dialled from here. */
  loops: string[];
  menu: Menu | null;
  /** In order of extension; the first is where a call goes when there is no menu. */
  routes: Route[];
  /** Heard by the caller once, before the menu or before anybody is rung. Absent in calls that began before there were any. */
  welcome?: Prompt[] | null | undefined;
  /** Said when closed and no after-hours action is set; absent or null = our own words. */
  closed?: Prompt[] | null | undefined;
  /** Files of the hold music ids from 1000 on (A29). */
  musicFiles?: Record<number, string> | undefined;
  voicemail: { enabled: boolean; greeting: Prompt[]; maxSeconds: number };
  recording: { on: boolean; announcement: Prompt[] | null };
  people: Person[];
  words: { unavailable: string; afterHours: string; notInService: string };
  /** A connected call is ended after this long. */
  maxTalkSeconds: number;
  /** What the compiler repaired or doubts; shown by simulate. */
  warnings: string[];
}

/** An inbound call as the host saw it. `callId` names legs and commands: unique and stable for the life of the call. */
export interface Inbound {
  callId: string;
  leg: LegId;
  from: string;
  to: string;
  callerName?: string | undefined;
  /** Two-letter state of the caller's number when known (geo routes). */
  state?: string | undefined;
}

/** A call an agent starts from the app: their own leg first, then the destination, shown as `callerId`. */
export interface Outbound {
  callId: string;
  userId: number;
  userName: string;
  /** The one device to join from, when the agent has several. */
  device?: string | undefined;
  to: string;
  toLabel: string;
  callerId: string;
  timeoutSeconds: number;
}

/** Everything chancy or remembered, given once at the start so that the engine needs no dice and no memory. */
export interface EngineInputs {
  /** Epoch milliseconds. */
  now: number;
  /** Numbers in [0, 1): the draws for weights, used in order, over again when they run out. Give 8. */
  draw: number[];
  /** Per route id, how many calls took it before (strict and weighted round robin). The host may renew it before a step that enters a route. */
  turns?: Record<number, number> | undefined;
  /** Per route id and destination key (E.164 or `user:7`), when it last answered, epoch ms (least recent first). */
  lastAnswered?: Record<number, Record<string, number>> | undefined;
}

/** A destination ready to be rung. `key` (E.164, sip uri or `user:7`) tells destinations apart. */
export interface Target {
  key: string;
  to: Destination;
  label: string;
  callerId: string;
  forwardId: number | null;
  timeoutSeconds: number;
  confirmKey?: ConfirmKey;
  digits?: string;
}

/**
 * The one thing every forwarding type compiles to. The executor starts group 0 at once; a later group starts
 * `startAfter` seconds after the plan began, or when nothing rings any more, whichever comes first;
 * `'previous'` = only when nothing rings any more.
 */
export interface RingGroup {
  targets: Target[];
  startAfter: number | 'previous';
  /** `key` null with prompts = a whisper only: whoever picks up has the call, and hears it first. */
  confirm: { key: ConfirmKey; waitSeconds: number; whisper: Prompt[] } | null;
}

/** What follows when nobody took the call. */
export type Ending =
  | { then: 'voicemail'; because: string }
  | { then: 'message'; prompts: Prompt[]; status: 8 | 10; because: string }
  /** Whoever passed the call on is rung. */
  | { then: 'back'; target: Target; because: string }
  /** It goes on waiting in its slot. */
  | { then: 'park'; parked: Parked; because: string };

/** A call waiting in a numbered slot. `until`, epoch ms: then `by` is rung again. */
export interface Parked {
  slot: number;
  by: Target;
  since: number;
  until: number;
}

/** A call beside the conversation: a third person being rung, or one asked before the call is passed on. */
export interface SideCall {
  leg: LegId;
  /** `add` joins the conversation when they answer; `consult` speaks with `by` alone while the other party waits. */
  for: 'add' | 'consult';
  /** The leg of the person who asked. */
  by: LegId;
  /** `waiting`: swapped, they hear music while `by` speaks with the other party. */
  state: 'ringing' | 'talking' | 'waiting';
}

/** A supervisor in the conversation. */
export interface Monitor {
  leg: LegId;
  userId: number;
  mode: 'listen' | 'whisper' | 'barge';
}

export interface RingPlan {
  routeId: number | null;
  groups: RingGroup[];
  holdMusicId: number | null;
  otherwise: Ending;
}

export type LegState = 'ringing' | 'answered' | 'confirming' | 'connected' | 'leaving' | 'ended';

/** `leaving`: told to end, its `legEnded` not yet seen. */
export interface Leg {
  id: LegId;
  /** `monitor`: a supervisor, who is no party of the call. */
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

/** A9.1 `history[]` without `actor`. `code` null = worth telling, but no status of A5.1 (hold, recording). */
export interface HistoryEntry {
  at: number;
  code: StatusCode | null;
  label: string;
  leg: LegId | null;
  target: string | null;
  detail: string | null;
}

/** One line of "why did the call go there": the same words on the call record and in simulate (A7.2). */
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
  /** `kept`: recordingReady has come. `lost`: went with the process that made it. */
  state: 'running' | 'stopped' | 'kept' | 'lost';
  durationMs: number | null;
}

/** What the call record copies after each step. Instants are epoch ms. */
export interface CallFacts {
  /** The status to show now: while running 1, 2, 6 or 12; at the end the outcome's. */
  status: StatusCode;
  startedAt: number;
  ringingAt: number | null;
  /** First pick-up by a person (not by menu or voicemail). */
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
  /** The chosen route's e-mail alert addresses (B §3), to be written to when the call has ended. */
  emailAlertAddresses: string[];
  onHold: boolean;
}

/** Set once, when nothing more can change it. */
export interface Outcome {
  status: FinalCode;
  at: number;
  because: string;
}

export type Phase =
  /** Recording notice playing to the caller. */
  | { name: 'announcing'; commandId: string; plan: RingPlan }
  | { name: 'menu'; commandId: string; attempt: number }
  /** Outbound: the agent's own leg is being set up. */
  | { name: 'calling'; outbound: Outbound }
  /** `winner`: picked up and hears the whisper; nobody else rings any more. `offered` and `refused` count legs. */
  | {
      name: 'ringing';
      plan: RingPlan;
      beganAt: number;
      nextGroup: number;
      offered: number;
      refused: number;
      winner: { leg: LegId; commandId: string } | null;
    }
  /** `more`: third persons in the conversation. */
  | { name: 'connected'; legs: [LegId, LegId]; held: boolean; more?: LegId[]; aside?: SideCall }
  | { name: 'parked'; parked: Parked }
  | { name: 'voicemailGreeting'; commandId: string }
  | { name: 'voicemail'; recordingId: string }
  /** A last message before we hang up. */
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
  /** Which draw comes next. */
  draws: number;
  /** Counter that names commands, legs, recordings and timers. */
  next: number;
  phase: Phase;
  /** The leg whose call this is: the caller inbound, the agent outbound. */
  firstLeg: LegId;
  /** Whether the first leg can hear us: `answer` was said (inbound), the agent's app picked up (outbound). */
  answered: boolean;
  /** The first leg hears hold music or ring back from us. */
  waiting: boolean;
  announced: boolean;
  /** The welcome was heard: it is said once a call. */
  welcomed?: boolean | undefined;
  legs: Leg[];
  /** Gathers running on target legs: command id → leg. */
  confirming: Record<string, LegId>;
  /** Destinations that were busy or declined: never dialled again in this call. */
  refusedKeys: string[];
  /** Routes already run, against loops. */
  visited: number[];
  timers: Timer[];
  history: HistoryEntry[];
  path: PathStep[];
  facts: CallFacts;
  outcome: Outcome | null;
  /** Supervisors; their legs stand among `legs` with the role `monitor`. */
  monitors?: Monitor[];
  /** The room the conversation is in when it has more than two people: leg → role as it was last said to the carrier. */
  room?: { id: string; roles: Record<LegId, string> };
  /** Sides of the running recording as they were last said to the carrier. */
  sides?: [LegId[], LegId[]];
}

/** Where a call is passed on to: somebody to ring, or a route of the same number. */
export type TransferTo = { kind: 'target'; target: Target } | { kind: 'route'; routeId: number };

/** Transfer, park, third persons and supervisors. `by` is the user who asks, always someone in the conversation. */
export type TransferEvent =
  | { type: 'transfer'; by: number; to: TransferTo; ask: boolean }
  /** The consulted person gets the call; `merge`: all three talk. */
  | { type: 'completeTransfer'; by: number }
  | { type: 'merge'; by: number }
  | { type: 'swap'; by: number }
  | { type: 'cancelTransfer'; by: number }
  | { type: 'park'; by: number; slot: number; seconds: number }
  | { type: 'unpark'; target: Target }
  | { type: 'add'; by: number; target: Target }
  /** Let one third person (ringing or talking) go. */
  | { type: 'remove'; by: number; leg: LegId }
  /** A supervisor comes in, or changes how. */
  | { type: 'monitor'; target: Target; mode: Monitor['mode'] }
  | { type: 'stopMonitor'; userId: number };

/** What people do on a screen during the call; the host has already checked that they may. */
export type ScreenEvent =
  | { type: 'hold'; on: boolean }
  | { type: 'record'; on: boolean }
  | { type: 'sendDigits'; digits: string }
  /** One user's app declines: only that user's leg ends. */
  | { type: 'decline'; userId: number }
  /** Hang up from the screen: the agent's side leaves, so the call ends. */
  | { type: 'hangup'; by?: number }
  | TransferEvent;

export type EngineEvent = VoiceEvent | { type: 'timer'; id: string } | ScreenEvent;

/**
 * `commands` are to be performed in order after the state is stored; `history` and `path` are the entries this
 * step added (the state holds all). An event that means nothing now gives the same state and empty lists.
 */
export interface StepResult {
  state: CallState;
  commands: VoiceCommand[];
  history: HistoryEntry[];
  path: PathStep[];
}
