/**
 * What we ask of a voice carrier, and what it tells us. One vocabulary for every carrier: the routing engine
 * speaks it, adapters translate it. Shapes only; no carrier's own words (CallSid, TwiML) may appear here.
 */

/** Our id of one leg. For an inbound leg the adapter derives it from the carrier's id; for a leg we create, the engine names it. */
export type LegId = string;

/** Something the far end hears. `music`: A29 hold-music ids (null ring back, 1 classic, 2 light, 3 upbeat, ≥1000 a greeting's file). */
export type Prompt =
  | { kind: 'say'; text: string; voice?: string | undefined; language?: string | undefined }
  /** `text` its words, `name` what people call it, `seconds` how long it is, where known. */
  | {
      kind: 'play';
      fileId: string;
      text?: string | undefined;
      name?: string | undefined;
      seconds?: number | undefined;
    }
  | { kind: 'beep' };

/** Where a new leg goes: an outside phone, a SIP address, or the browsers and apps of one of our users. */
export type Destination =
  | { kind: 'phone'; number: string }
  | { kind: 'sip'; uri: string }
  /** Our own exchange, by SIP, for this one call: the far end of a line to somebody's browsers. `line` is its name. */
  | { kind: 'line'; line: string }
  /**
   * `companyId`: whoever is in several companies is rung only where the app is open in this one.
   * `device` rings that one device only: the one from which the user placed the call.
   */
  | { kind: 'app'; userId: number; companyId?: number | undefined; device?: string | undefined };

/**
 * Commands are idempotent by `id`: performing one twice has the effect of one. `leg` is the leg acted upon.
 * A carrier answers with events; none of these returns a result.
 */
export type VoiceCommand = { id: string } & (
  | { do: 'answer'; leg: LegId }
  /** Play prompts in order; a `promptEnded` event with this command's id follows (reason `done`). */
  | { do: 'play'; leg: LegId; prompts: Prompt[] }
  /** Play prompts and collect digits; digits interrupt the prompts. Ends with `promptEnded` (reason `digits` or `timeout`). */
  | {
      do: 'gather';
      leg: LegId;
      prompts: Prompt[];
      maxDigits: number;
      timeoutSeconds: number;
      finishOn?: string | undefined;
    }
  /** Prompts heard by the called party only, before a bridge. Ends with `promptEnded`. */
  | { do: 'whisper'; leg: LegId; prompts: Prompt[] }
  /** Ring a destination. `callerId` is what it shows (a number the company owns, or the caller's when passed through). */
  | {
      do: 'createLeg';
      leg: LegId;
      to: Destination;
      callerId: string;
      callerName?: string | undefined;
      timeoutSeconds: number;
      onBehalfOf: LegId | null;
    }
  | { do: 'cancelLeg'; leg: LegId; because: 'answeredElsewhere' | 'timeout' | 'callerLeft' }
  | { do: 'bridge'; legs: [LegId, LegId] }
  | { do: 'unbridge'; legs: [LegId, LegId] }
  /** What a waiting leg hears while others ring, or while held. `on: false` ends it. */
  | {
      do: 'hold';
      leg: LegId;
      on: boolean;
      musicId: number | null;
      /** The file of a musicId from 1000 on. */ fileId?: string | undefined;
    }
  /** Record one leg (voicemail: beep first, ends by hang-up, `#`, silence or maxSeconds) → `recordingReady`. */
  | {
      do: 'record';
      leg: LegId;
      recordingId: string;
      maxSeconds: number;
      beep: boolean;
      silenceSeconds: number;
    }
  /** Record a bridged pair, one channel a leg, until stopped or a leg ends → `recordingReady`. */
  | { do: 'startRecording'; recordingId: string; legs: [LegId, LegId] }
  | { do: 'stopRecording'; recordingId: string }
  /** Who is written down on which of the two channels from now on. A side may be nobody for a while; it ends when the last leg of a side ends. */
  | { do: 'recordSides'; recordingId: string; sides: [LegId[], LegId[]] }
  /**
   * Put a leg into a room of several people, out of any bridge or room it was in; again with another role changes the role.
   * `talk` hears and is heard by all who talk; `listen` hears them and is heard by nobody; `whisper` hears them and is heard
   * only by `to`. Nobody hears themselves.
   */
  | {
      do: 'join';
      room: string;
      leg: LegId;
      role: 'talk' | 'listen' | 'whisper';
      to?: LegId[] | undefined;
    }
  /** Out of the room; the leg stays up and hears nothing. */
  | { do: 'leave'; room: string; leg: LegId }
  | { do: 'sendDigits'; leg: LegId; digits: string }
  /** `because`: why the call it placed came to nothing, for phones that can say so. */
  | { do: 'hangup'; leg: LegId; because?: LegEndCause | undefined }
  /** Refuse an inbound leg before it is answered. */
  | { do: 'reject'; leg: LegId; because: 'busy' | 'blocked' | 'notInService' | 'declined' }
);

export type LegEndCause =
  | 'hangup'
  | 'busy'
  | 'declined'
  | 'noAnswer'
  | 'cancelled'
  | 'failed'
  | 'rejected';

/**
 * What a carrier reports. May come twice and out of order: idempotent by (carrier, `id`); `seq` grows within one leg.
 * `call` is the carrier's id of the whole call: the inbound (or first) leg's id. `at` is epoch milliseconds at the carrier.
 */
export type VoiceEvent = { id: string; call: LegId; leg: LegId; seq: number; at: number } & (
  | { type: 'inbound'; from: string; to: string; callerName?: string | undefined }
  | { type: 'legRinging' }
  | { type: 'legAnswered'; by?: { device: string } | undefined }
  | {
      type: 'promptEnded';
      commandId: string;
      reason: 'done' | 'digits' | 'timeout' | 'interrupted';
      digits: string;
    }
  /** A key pressed while bridged or recording. */
  | { type: 'digits'; digits: string }
  /** `url` is fetched once and copied into our files; `speech` is the sandbox caller's known words, when it has them; `peaks` (per channel, 0 to 1) spare drawing the wave anew. */
  | {
      type: 'recordingReady';
      recordingId: string;
      url: string;
      contentType: string;
      durationMs: number;
      channels: 1 | 2;
      speech?: { leg: LegId; text: string; startMs: number }[] | undefined;
      peaks?: number[][] | undefined;
    }
  /** `notTaken`: the carrier never rang anybody for this leg and never will. Left out when that is not certain. */
  /** `lost`: nobody hung up, the carrier (or its process) no longer has the leg; `at` is then the last time it can have carried sound. */
  | {
      type: 'legEnded';
      cause: LegEndCause;
      notTaken?: 'refused' | 'away' | undefined;
      lost?: true | undefined;
    }
);

export interface VoiceCapabilities {
  /** What the carrier could do by itself: targets one request of its rings at once (0: none). Legs are orchestrated by the engine whatever stands here (decision 0013). */
  parallelTargets: number;
  confirmWithSeveralTargets: boolean;
  sequential: boolean;
  whisper: boolean;
  /** Several people in one conversation, and supervisors in it (`join`, `leave`, `recordSides`). Left out: it cannot. */
  rooms?: boolean;
}

export interface VoiceCarrier {
  readonly name: string;
  readonly capabilities: VoiceCapabilities;
  /** Perform in order. Rejects when the carrier could not be reached; the caller retries with the same ids. */
  perform(commands: VoiceCommand[]): Promise<void>;
  /** The bytes of a recording it told of, where asking needs credentials; null when it is gone. Left out: its address is open to whoever knows it. */
  fetchRecording?(url: string): Promise<Buffer | null>;
  /** Our copy is safe: remove the carrier's, where the settings say so. Removing twice is removing once. */
  deleteRecording?(url: string): Promise<void>;
  /** What the carrier knows of a leg now; null when it never existed or is forgotten. Used to reconcile after a crash. */
  getLegStatus(
    leg: LegId,
  ): Promise<{ state: 'ringing' | 'answered' | 'ended'; cause: LegEndCause | null } | null>;
  /** When the process that holds the calls began, epoch ms: legs older than that are lost. Left out: a carrier whose calls outlive us. */
  runningSince?(): Promise<number>;
  /** Take back the wish for a leg: true when the carrier was certainly never asked to ring it, and now never will be. Left out: it cannot tell. */
  withdrawLeg?(leg: LegId): Promise<boolean>;
  /** Credentials with which a user's browser joins the media plane (WebRTC offer/answer happens over `url`). */
  createClientToken(user: {
    companyId: number;
    userId: number;
    identity: string;
    device: string;
  }): Promise<{ token: string; url: string; expiresAt: string; iceServers: { urls: string }[] }>;
}
