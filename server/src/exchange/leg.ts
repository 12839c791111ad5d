/**
 * One leg: the line between the exchange and one far end (an outside phone, or the browsers of one of our users).
 * ringing → answered → ended, and nothing goes back. What the far end hears comes, in this order, from: the prompt
 * being played, hold music or ringing, the bridged partner or the room, silence.
 */
import type { LegEndCause, LegId } from '../gateways/voice.ts';
import { frameSamples } from '../platform/audio/resample.ts';
import type { Device } from './devices.ts';
import { silentFrame } from './opus.ts';
import type { ReceivedPacket, Peer } from './peer.ts';
import type { Room } from './room.ts';
import { RtpClock, ticksPerMs } from './rtp-clock.ts';
import type { Sound } from './sounds.ts';

/** Twenty milliseconds of what a far end says. */
export interface AudioFrame {
  opus: Buffer;
  /** Known when the exchange itself speaks for the phone. */
  pcm?: Int16Array;
  /** Packets of one source number on from each other. */
  source: unknown;
  sequenceNumber: number;
  timestamp: number;
}

export type FarEnd =
  | { kind: 'phone'; number: string }
  | { kind: 'app'; userId: number; companyId: number | null; device: string | null };
export type HeardKind = 'say' | 'play' | 'ring' | 'hold' | 'bridge' | 'beep' | 'keys';

/** Words that the exchange spoke in a phone's place. */
export interface SpokenText {
  text: string;
  atMs: number;
  untilMs: number;
}

interface HoldMusic {
  /** Null until it is made. */
  sound: Sound | null;
  at: number;
  musicId: number | null;
}

export class Leg {
  state: 'ringing' | 'answered' | 'ended' = 'ringing';
  cause: LegEndCause | null = null;
  endedBecause: string | null = null;
  endedAtMs: number | null = null;
  /** The browser that has the call, of several that rang; null for a scripted phone. */
  device: Device | null = null;
  /** Taken by a device whose sound is still being set up: nobody else may take it. */
  claimed = false;
  peer: Peer | null = null;
  partner: Leg | null = null;
  /** A carrier's line: it goes as its call does, and waits in silence as long as that rests. */
  isInterconnect = false;
  /** Instead of a partner: the room it sits in with others. */
  room: Room | null = null;
  /** Keys pressed before anybody asked for them. */
  bufferedDigits = '';
  /** Takes keys while they are being collected; else null. */
  onKey: ((digit: string) => void) | null = null;
  /** Told once there is more to hear for the far end than ringing: a prompt, a partner, a room. */
  onAudio: (() => void) | null = null;
  /** What the phone will say as soon as somebody listens. */
  pendingSpeech: string | null = null;
  readonly heard: { at: string; kind: HeardKind; what: string }[] = [];
  readonly spokenTexts: SpokenText[] = [];
  readonly listeners = new Set<(frame: AudioFrame, nowMs: number) => void>();
  readonly createdMs = performance.now();
  /** It rings no longer than this. */
  ringTimeoutMs = 0;
  /** Last time a command or a bridge concerned it. */
  lastActiveMs = performance.now();
  #seq = 0;
  #playing: { sound: Sound; at: number; pace: number; over: (whole: boolean) => void } | null =
    null;
  #held: HoldMusic | null = null;
  #speaking: { sound: Sound; at: number; source: object } | null = null;
  readonly #clock = new RtpClock();
  #sent = 0;
  #lastSentMs = 0;

  constructor(
    readonly id: LegId,
    readonly call: LegId,
    /** `in`: the far end called us. */
    readonly direction: 'in' | 'out',
    readonly farEnd: FarEnd,
    /** The number shown to whoever is called. */
    readonly from: string,
    readonly to: string,
    readonly callerName: string | null,
    private readonly onHeard: (leg: Leg, kind: HeardKind, what: string) => void,
  ) {}

  /** Grows within one leg, and across a restart of the exchange too. */
  nextSeq(): number {
    this.#seq = Math.max(this.#seq + 1, Date.now());
    return this.#seq;
  }

  /** A prompt is being played to the far end. */
  get playing(): boolean {
    return this.#playing !== null;
  }

  get held(): { musicId: number | null } | null {
    return this.#held;
  }

  logHeard(kind: HeardKind, what: string): void {
    this.heard.push({ at: new Date().toISOString(), kind, what });
    this.onHeard(this, kind, what);
  }

  /** Let the far end hear a sound to its end. False when it was cut short. `pace` > 1 hurries it (legs nobody listens to). */
  play(sound: Sound, pace = 1): Promise<boolean> {
    this.stopPlaying();
    if (this.state === 'ended') return Promise.resolve(false);
    if (sound.frames.length === 0) return Promise.resolve(true);
    this.notifyAudio();
    return new Promise((over) => {
      this.#playing = { sound, at: 0, pace, over };
    });
  }

  notifyAudio(): void {
    const listener = this.onAudio;
    this.onAudio = null;
    listener?.();
  }

  stopPlaying(): void {
    const playing = this.#playing;
    this.#playing = null;
    playing?.over(false);
  }

  startHoldMusic(musicId: number | null, sound: Promise<Sound>): void {
    if (this.#held?.musicId === musicId) return;
    const held: HoldMusic = { sound: null, at: 0, musicId };
    this.#held = held;
    void sound.then((made) => (held.sound = made));
    this.logHeard(
      musicId === null ? 'ring' : 'hold',
      musicId === null ? 'ringing' : `music ${musicId}`,
    );
  }

  stopHoldMusic(): void {
    this.#held = null;
  }

  /** The exchange speaks in the phone's place. */
  speak(text: string, sound: Sound, nowMs: number): void {
    this.#speaking = { sound, at: 0, source: {} };
    this.spokenTexts.push({ text, atMs: nowMs, untilMs: nowMs + sound.frames.length * 20 });
  }

  get speaking(): boolean {
    return this.#speaking !== null;
  }

  /** The browser at the far end said something. */
  receiveAudio(packet: ReceivedPacket, nowMs: number): void {
    if (this.#speaking || this.state !== 'answered') return;
    this.#tell(
      {
        opus: packet.payload,
        ...(packet.pcm ? { pcm: packet.pcm } : {}),
        source: this.peer,
        sequenceNumber: packet.sequenceNumber,
        timestamp: packet.timestamp,
      },
      nowMs,
    );
  }

  /** What the partner says, passed on as it is. Not while this far end is hearing something else. */
  forward(frame: AudioFrame, nowMs: number): void {
    if (this.#playing || this.#held) return;
    this.#send(frame.opus, frame.source, frame.sequenceNumber, frame.timestamp, nowMs);
  }

  /** Every 20 ms. */
  tick(nowMs: number): void {
    const speaking = this.#speaking;
    if (speaking) {
      const opus = speaking.sound.frames[speaking.at];
      if (opus) {
        const pcm = speaking.sound.pcm.subarray(
          speaking.at * frameSamples,
          (speaking.at + 1) * frameSamples,
        );
        this.#tell(
          {
            opus,
            pcm,
            source: speaking.source,
            sequenceNumber: speaking.at % 65536,
            timestamp: speaking.at * 960,
          },
          nowMs,
        );
        speaking.at++;
      } else {
        this.#speaking = null;
      }
    }
    const frame = this.#nextFrame(nowMs);
    // Numbered by what was sent, timed by the clock: a frame left out is silence, not loss, and a stall does not shift the rest.
    if (frame) this.#send(frame, this, this.#sent++ % 65536, Math.round(nowMs * ticksPerMs), nowMs);
  }

  #nextFrame(nowMs: number): Buffer | null {
    const playing = this.#playing;
    if (playing) {
      const frame = playing.sound.frames[playing.at];
      playing.at += playing.pace;
      if (playing.at >= playing.sound.frames.length) {
        this.#playing = null;
        playing.over(true);
      }
      return frame ?? null;
    }
    if (this.#held) {
      const { sound } = this.#held;
      return (sound && sound.frames[this.#held.at++ % sound.frames.length]) ?? silentFrame;
    }
    if (this.room) return this.peer ? this.room.frameFor(this) : null;
    // A partner's own packets are passed on when they come; a silent one is filled in, so that the line never seems dead.
    return this.partner && nowMs - this.#lastSentMs < 70 ? null : silentFrame;
  }

  #tell(frame: AudioFrame, nowMs: number): void {
    this.partner?.forward(frame, nowMs);
    this.room?.push(this, frame);
    for (const listener of this.listeners) listener(frame, nowMs);
  }

  #send(
    opus: Buffer,
    source: unknown,
    sequenceNumber: number,
    timestamp: number,
    nowMs: number,
  ): void {
    if (!this.peer) return;
    this.#lastSentMs = nowMs;
    this.peer.send(opus, this.#clock.stamp(source, sequenceNumber, timestamp, nowMs));
  }
}
