/** A number's routing configuration, frozen when a call starts. */
import type { Prompt } from '../../../../gateways/voice.ts';
import type { Hours } from '../hours.ts';

export type RouteType =
  | 'standard'
  | 'simultaneous'
  | 'sequential'
  | 'geo'
  | 'voicemail'
  | 'in-app-calling';

/** A7.1. `'0'`–`'9'`, 65535 for star, 65534 for pound; null = no key, connect on answer. */
export type ConfirmKey = string | null;

/**
 * One configured destination of a route. Exactly one of `number` (E.164 or a `sip:` URI), `userId`
 * and `team` is set.
 */
export interface Forward {
  id: number | null;
  number: string | null;
  userId: number | null;
  /** People rung together, each a destination with the settings of this one. Absent: not a team. */
  team?: { id: number; members: Forward[] } | undefined;
  label: string;
  /** 1–100; null = an equal share. Used by standard routes and weighted round robin. */
  weight: number | null;
  /** Seconds this destination rings; null = the route's timeout. */
  timeoutSeconds: number | null;
  /** This destination's own hours; null = always. */
  hours: Hours | null;
  areaCodes: string[];
  states: string[];
  callerId: 'pass' | 'tracking' | 'custom' | null;
  customCallerId: string | null;
  /** Overrides the route's confirm key. */
  confirmKey?: ConfirmKey;
  /** DTMF sent on answer, for an extension behind a PBX. A comma pauses. */
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
  /**
   * Seconds between legs of a simultaneous route; null = all at once (A7.1: `stagger` true = 5).
   */
  staggerSeconds: number | null;
  roundRobin: 'none' | 'strict' | 'least_recent' | 'weighted';
  /** A29 hold music; null = ringback tone. */
  holdMusicId: number | null;
  callerIdPassThru: boolean;
  confirmKey: ConfirmKey;
  confirmWaitSeconds: number;
  /** Played to the destination before it is connected; empty = none. */
  whisper: string;
  timeoutSeconds: number;
  geoByState: boolean;
  geoByStateStaticFallback: boolean;
  emailAlertAddresses: string[];
  voicemail: { enabled: boolean; greeting: Prompt[] | null };
  afterHours: AfterHours | null;
}

/** The IVR menu of a number with more than one route. */
export interface Menu {
  greeting: Prompt[];
  retryPrompt: Prompt[];
  /**
   * Precedes the repeated menu when no key was pressed. Absent in calls started by an old release.
   */
  silencePrompt?: Prompt[];
  /** How many times the menu is played before the fallback. */
  attempts: number;
  waitSeconds: number;
  /** Digits of the longest extension. */
  maxDigits: number;
  /** The route of a caller who chose nothing; null = the number's voicemail. */
  fallbackRouteId: number | null;
}

/** A user as of call start. `reachable`: in-app calling is on and a device is connected. */
export interface Person {
  userId: number;
  name: string;
  reachable: boolean;
  /** Limited to other numbers than this one. Absent: not. */
  excluded?: boolean | undefined;
  /** The user's own hours; null or absent = always. */
  hours?: Hours | null | undefined;
  /** Do not disturb is on, until this time (epoch ms; null = until they turn it off). */
  doNotDisturb?: { until: number | null } | undefined;
}

/**
 * A number's configuration, compiled by `compileFlow` and frozen in the call's state when the call
 * starts: later edits never change a running call.
 */
export interface Flow {
  version: 1;
  company: { id: number; name: string };
  number: { id: number; number: string; label: string };
  /** `parked`: the account is parked; callers hear a message or reach voicemail. */
  service: 'active' | 'parked' | 'notInService';
  /** Why the caller is rejected (block list, spam screening); null = not rejected. */
  blocked: string | null;
  /** Why the call is answered busy (simultaneous-call limit); null = within the limit. */
  full: string | null;
  /** The caller presses 1 before anyone is rung (spam screening). Absent: not. */
  screening?: boolean | undefined;
  /** How many of the company's numbers already forwarded this call (loop guard: 5 → voicemail). */
  hops: number;
  /** The company's numbers that forward back to this one; never dialed from here. */
  loops: string[];
  menu: Menu | null;
  /** In order of extension; without a menu every call goes to the first. */
  routes: Route[];
  /** Played once, before the menu or the first ring. Absent in calls started by an old release. */
  welcome?: Prompt[] | null | undefined;
  /** Played when closed and no after-hours action is set; absent or null = the default message. */
  closed?: Prompt[] | null | undefined;
  /** Where the caller came from, told to who answers before any whisper of the route; absent: not told. */
  sourceWhisper?: string | undefined;
  /** File ids of hold music from id 1000 on (A29). */
  musicFiles?: Record<number, string> | undefined;
  voicemail: { enabled: boolean; greeting: Prompt[]; maxSeconds: number };
  recording: { on: boolean; announcement: Prompt[] | null };
  people: Person[];
  /** Text of the default messages. */
  words: { unavailable: string; afterHours: string; notInService: string };
  /** A connected call is ended after this long. */
  maxTalkSeconds: number;
  /** Problems the compiler found; shown by `simulate`. */
  warnings: string[];
}
