/**
 * Commands to voice carriers and the events they report: one vocabulary for all carriers, which the
 * routing engine uses and adapters translate. No carrier's own terms (CallSid, TwiML) may appear
 * here.
 */

import type { ExchangeChoice } from './exchange-choice.ts';

/**
 * Our id of a leg. The adapter derives an inbound leg's from the carrier's id; the engine chooses
 * that of a leg we create.
 */
export type LegId = string;

/** Something the far end hears. */
export type Prompt =
  | { kind: 'say'; text: string; voice?: string | undefined; language?: string | undefined }
  /** `text`: its words, `name`: shown to people, `seconds`: its length, where known. */
  | {
      kind: 'play';
      fileId: string;
      text?: string | undefined;
      name?: string | undefined;
      seconds?: number | undefined;
    }
  | { kind: 'beep' };

/**
 * Where a new leg goes: an outside phone, a SIP address, or the browsers and apps of one of our
 * users.
 */
export type Destination =
  | { kind: 'phone'; number: string }
  | { kind: 'sip'; uri: string }
  /**
   * Our own exchange by SIP, for this one call that is joined to a user's browsers. `line`: its
   * token. `at`: which exchange, as `host:port`; by default the one in SIP_PUBLIC.
   */
  | { kind: 'line'; line: string; at?: string | undefined }
  /**
   * `companyId`: rings only devices where the app is open in this company.
   * `device`: rings that device only, from which the user placed the call.
   */
  | { kind: 'app'; userId: number; companyId?: number | undefined; device?: string | undefined };

/**
 * Commands are idempotent by `id`. `leg` is the leg acted upon. Results are reported as events.
 * `musicId` (A29): null ringing, 1 classic, 2 light, 3 upbeat, from 1000 on the file of a greeting.
 */
export type VoiceCommand = { id: string } & (
  | { do: 'answer'; leg: LegId }
  /**
   * Plays prompts in order; a `promptEnded` event with this command's id follows (reason `done`).
   */
  | { do: 'play'; leg: LegId; prompts: Prompt[] }
  /**
   * Plays prompts and collects digits, which interrupt the prompts. Ends with `promptEnded` (reason
   * `digits` or `timeout`).
   */
  | {
      do: 'gather';
      leg: LegId;
      prompts: Prompt[];
      maxDigits: number;
      timeoutSeconds: number;
      finishOn?: string | undefined;
    }
  /** Plays prompts to the called party only, before a bridge. Ends with `promptEnded`. */
  | { do: 'whisper'; leg: LegId; prompts: Prompt[] }
  /**
   * Rings a destination. `callerId`: the number shown, which is the company's or the caller's own.
   */
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
      /** The file of a musicId from 1000 on. */
      fileId?: string | undefined;
    }
  /**
   * Records a voicemail, after a beep, until hang-up, `#`, silence or `maxSeconds` →
   * `recordingReady`.
   */
  | {
      do: 'record';
      leg: LegId;
      recordingId: string;
      maxSeconds: number;
      beep: boolean;
      silenceSeconds: number;
    }
  /** Records a bridged pair, one channel a leg, until stopped or a leg ends → `recordingReady`. */
  | { do: 'startRecording'; recordingId: string; legs: [LegId, LegId] }
  | { do: 'stopRecording'; recordingId: string }
  /**
   * Sets which legs are recorded on which channel. A side may be empty; the recording ends with the
   * last leg of a side.
   */
  | { do: 'recordSides'; recordingId: string; sides: [LegId[], LegId[]] }
  /**
   * Moves a leg into a conference room, out of any bridge or room; with another role, changes the
   * role. `talk` hears and is heard by all who talk. `listen` hears them and is heard by no one.
   * `whisper` hears them and is heard only by `to`. No leg hears itself.
   */
  | {
      do: 'join';
      room: string;
      leg: LegId;
      role: 'talk' | 'listen' | 'whisper';
      to?: LegId[] | undefined;
    }
  /** Leaves the room; the leg stays connected and hears nothing. */
  | { do: 'leave'; room: string; leg: LegId }
  | { do: 'sendDigits'; leg: LegId; digits: string }
  /** `because`: why the call it placed failed, for phones that show it. */
  | { do: 'hangup'; leg: LegId; because?: LegEndCause | undefined }
  /** Refuses an inbound leg before it is answered. */
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
 * What a carrier reports. May arrive twice and out of order: idempotent by (carrier, `id`), and
 * `seq` increases within a leg. `call`: the id of the call's first leg. `at`: epoch milliseconds at
 * the carrier.
 */
export type VoiceEvent = { id: string; call: LegId; leg: LegId; seq: number; at: number } &
  /** `exchange`: which of our exchanges has it. */
  (
    | {
        type: 'inbound';
        from: string;
        to: string;
        callerName?: string | undefined;
        exchange?: string | undefined;
      }
    | { type: 'legRinging' }
    | { type: 'legAnswered'; by?: { device: string } | undefined }
    | {
        type: 'promptEnded';
        commandId: string;
        reason: 'done' | 'digits' | 'timeout' | 'interrupted';
        digits: string;
      }
    /** Keys pressed while bridged or recording. */
    | { type: 'digits'; digits: string }
    /**
     * `url`: fetched once and copied into our files. `speech`: known text of a sandbox caller.
     * `peaks`: the waveform per channel, 0 to 1.
     */
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
    /**
     * `notTaken`: the carrier never rang anyone for this leg and never will; left out when that is
     * not certain. `lost`: the carrier no longer has the leg, though no one hung up; `at` is then the
     * last time it can have carried audio.
     */
    | {
        type: 'legEnded';
        cause: LegEndCause;
        notTaken?: 'refused' | 'away' | undefined;
        lost?: true | undefined;
      }
  );

interface VoiceCapabilities {
  /**
   * Targets that one request to the carrier can ring at once; 0: none. The engine orchestrates legs
   * regardless (decision 0013).
   */
  parallelTargets: number;
  confirmWithSeveralTargets: boolean;
  sequential: boolean;
  whisper: boolean;
  /** Conference rooms and supervision (`join`, `leave`, `recordSides`). Left out: not supported. */
  rooms?: boolean;
}

export interface VoiceCarrier {
  readonly name: string;
  readonly capabilities: VoiceCapabilities;
  /**
   * Runs commands in order. Rejects when the carrier cannot be reached; the caller retries with the
   * same ids. `exchange`: which of our exchanges has the call, where this is our exchange.
   */
  perform(commands: VoiceCommand[], exchange?: string | null): Promise<void>;
  /**
   * A recording, when its URL needs credentials; null when it is gone. Left out: the URL alone
   * suffices.
   */
  fetchRecording?(url: string): Promise<Buffer | null>;
  /** Deletes the carrier's copy, when the settings say so. Doing it twice changes nothing. */
  deleteRecording?(url: string): Promise<void>;
  /**
   * A leg's state; null when the carrier does not know it (any more). Used to reconcile after a
   * crash.
   */
  getLegStatus(
    leg: LegId,
    exchange?: string | null,
  ): Promise<{ state: 'ringing' | 'answered' | 'ended'; cause: LegEndCause | null } | null>;
  /** Our exchanges, which may be several; left out: calls are at a carrier, not in our processes. */
  readonly exchanges?: ExchangeChoice;
  /**
   * Withdraws a leg: true when it was certainly never requested and now never will be. Left out:
   * not supported.
   */
  withdrawLeg?(leg: LegId): Promise<boolean>;
  /**
   * Credentials for a user's browser to join the media plane; WebRTC offer and answer go over
   * `url`.
   */
  createClientToken(user: {
    companyId: number;
    userId: number;
    identity: string;
    device: string;
  }): Promise<{ token: string; url: string; expiresAt: string; iceServers: { urls: string }[] }>;
}
