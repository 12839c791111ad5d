/**
 * One leg: the connection between the exchange and one far end (an outside phone, or the devices of
 * one of our users). Its state only moves forward: ringing, answered, ended. What the far end hears
 * comes from the first of these that there is: the prompt being played, hold music or ringing, the
 * bridged partner or the room, silence.
 */
import type { LegEndCause, LegId } from '../gateways/voice.ts';
import { frameSamples } from '../platform/audio/resample.ts';
import type { MediaIdentity } from './media-token.ts';
import type { AudioFrame, FarEnd, HeardKind, HoldMusic, SpokenText } from './leg-types.ts';
import { silentFrame } from './opus.ts';
import type { ReceivedPacket, Peer } from './peer.ts';
import { RtpClock, ticksPerMs } from './rtp-clock.ts';
import type { Sound } from './sounds.ts';
import { TaskQueue } from './task-queue.ts';

/** Length of one frame of audio. */
const frameMs = 20;

/** What a leg asks of the conference room it is in. */
interface LegRoom {
  readonly size: number;
  leave(leg: Leg): void;
  push(leg: Leg, frame: AudioFrame): void;
  frameFor(leg: Leg): Buffer;
}

export class Leg {
  state: 'ringing' | 'answered' | 'ended' = 'ringing';
  cause: LegEndCause | null = null;
  endedBecause: string | null = null;
  endedAtMs: number | null = null;
  /** The device that has the call, of several that rang; null for a scripted phone. */
  device: { readonly identity: MediaIdentity } | null = null;
  /** A device has answered and its audio is being set up: no other device may answer. */
  claimed = false;
  /** Null for a scripted phone, and until audio is connected. */
  peer: Peer | null = null;
  /** The leg it is bridged to. */
  partner: Leg | null = null;
  /**
   * A carrier's interconnect call: it lasts as long as its call, and is not hung up for being idle.
   */
  isInterconnect = false;
  /** The conference room it is in, instead of a partner. */
  room: LegRoom | null = null;
  /** Keys pressed before a gather asked for them. */
  bufferedDigits = '';
  /** Receives keys while a gather collects them; else null. */
  onKey: ((digit: string) => void) | null = null;
  /** Called once, when the far end first hears more than ringing: a prompt, a partner, a room. */
  onAudio: (() => void) | null = null;
  /** Text to speak in place of the phone as soon as someone can hear it. */
  pendingSpeech: string | null = null;
  /** Everything the far end was given to hear, for scripted phones. */
  readonly heard: { at: string; kind: HeardKind; what: string }[] = [];
  readonly spokenTexts: SpokenText[] = [];
  /** Receive the audio of the far end (recordings). */
  readonly listeners = new Set<(frame: AudioFrame, nowMs: number) => void>();
  /** Prompts, gathers and recordings, one after the other. */
  readonly tasks = new TaskQueue();
  readonly createdMs = performance.now();
  /** Rings no longer than this. */
  ringTimeoutMs = 0;
  /** `performance.now()` of the last command or bridge. */
  lastActiveMs = performance.now();
  #seq = 0;
  #playing: { sound: Sound; at: number; pace: number; onEnd: (complete: boolean) => void } | null =
    null;
  #held: HoldMusic | null = null;
  /** The text that is spoken in place of the phone is being synthesized. */
  preparingSpeech = false;
  #speaking: { sound: Sound; at: number; source: object; startedMs: number } | null = null;
  readonly #clock = new RtpClock();
  #sent = 0;
  #lastSentMs = 0;

  constructor(
    readonly id: LegId,
    readonly call: LegId,
    /** `in`: the far end called the product. */
    readonly direction: 'in' | 'out',
    readonly farEnd: FarEnd,
    /** The caller id that the called side sees. */
    readonly from: string,
    readonly to: string,
    readonly callerName: string | null,
    private readonly onHeard: (leg: Leg, kind: HeardKind, what: string) => void,
  ) {}

  /** Increases within one leg, across restarts of the exchange too. */
  nextSeq(): number {
    this.#seq = Math.max(this.#seq + 1, Date.now());
    return this.#seq;
  }

  /** `+12125550147`, or `user 7`. */
  get farEndName(): string {
    return this.farEnd.kind === 'phone' ? this.farEnd.number : `user ${this.farEnd.userId}`;
  }

  /** A prompt is being played to the far end. */
  get playing(): boolean {
    return this.#playing !== null;
  }

  /** Null when no hold music or ringing is played. `musicId` null: ringing. */
  get held(): { musicId: number | null } | null {
    return this.#held;
  }

  logHeard(kind: HeardKind, what: string): void {
    this.heard.push({ at: new Date().toISOString(), kind, what });
    this.onHeard(this, kind, what);
  }

  /**
   * Plays a sound to the far end. Resolves to false when it was cut short. `pace` > 1 skips frames,
   * for legs that no one listens to.
   */
  play(sound: Sound, pace = 1): Promise<boolean> {
    this.stopPlaying();
    if (this.state === 'ended') return Promise.resolve(false);
    if (sound.frames.length === 0) return Promise.resolve(true);
    this.notifyAudio();
    return new Promise((resolve) => {
      this.#playing = { sound, at: 0, pace, onEnd: resolve };
    });
  }

  /** The far end is about to hear more than ringing. */
  notifyAudio(): void {
    const listener = this.onAudio;
    this.onAudio = null;
    listener?.();
  }

  stopPlaying(): void {
    const playing = this.#playing;
    this.#playing = null;
    playing?.onEnd(false);
  }

  /** `musicId` null: ringing. */
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

  /** Speaks in place of the phone. */
  speak(text: string, sound: Sound, nowMs: number): void {
    this.#speaking = { sound, at: 0, source: {}, startedMs: nowMs };
    this.spokenTexts.push({ text, atMs: nowMs, untilMs: nowMs + sound.frames.length * 20 });
  }

  /** A text is spoken in place of the phone, or waits to be. */
  get speaking(): boolean {
    return this.pendingSpeech !== null || this.preparingSpeech || this.#speaking !== null;
  }

  /** Audio from the far end. Ignored while the exchange speaks in its place. */
  receiveAudio(packet: ReceivedPacket, nowMs: number): void {
    if (this.#speaking || this.state !== 'answered') return;
    this.#distribute(
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

  /** Forwards the partner's audio unchanged, unless this far end is hearing something else. */
  forward(frame: AudioFrame, nowMs: number): void {
    if (this.#playing || this.#held) return;
    this.#send(frame.opus, frame.source, frame.sequenceNumber, frame.timestamp, nowMs);
  }

  /** Every 20 ms. */
  tick(nowMs: number): void {
    this.#speakFrames(nowMs);
    const frame = this.#nextFrame(nowMs);
    // The sequence number counts packets and the timestamp follows the clock: a frame that is left
    // out is silence, not loss, and a stall does not shift the rest.
    if (frame) this.#send(frame, this, this.#sent++ % 65536, Math.round(nowMs * ticksPerMs), nowMs);
  }

  /**
   * Sends on what is due of the text that is spoken in place of the phone. A stall delays words and
   * loses none, as with a phone whose packets waited in the socket.
   */
  #speakFrames(nowMs: number): void {
    for (let speaking = this.#speaking; speaking; speaking = this.#speaking) {
      const { sound, at, source, startedMs } = speaking;
      if (startedMs + at * frameMs > nowMs) return;
      const opus = sound.frames[at];
      if (!opus) {
        this.#speaking = null;
        return;
      }
      const pcm = sound.pcm.subarray(at * frameSamples, (at + 1) * frameSamples);
      speaking.at++;
      this.#distribute(
        { opus, pcm, source, sequenceNumber: at % 65536, timestamp: at * 960 },
        nowMs,
      );
    }
  }

  #nextFrame(nowMs: number): Buffer | null {
    const playing = this.#playing;
    if (playing) {
      const frame = playing.sound.frames[playing.at];
      playing.at += playing.pace;
      if (playing.at >= playing.sound.frames.length) {
        this.#playing = null;
        playing.onEnd(true);
      }
      return frame ?? null;
    }
    if (this.#held) {
      const { sound } = this.#held;
      return sound?.frames[this.#held.at++ % sound.frames.length] ?? silentFrame;
    }
    if (this.room) return this.peer ? this.room.frameFor(this) : null;
    // The partner's packets are forwarded as they arrive. Its silence is filled in, so that the
    // call never seems dead.
    return this.partner && nowMs - this.#lastSentMs < 70 ? null : silentFrame;
  }

  /** Sends the far end's audio to everyone who listens to it. */
  #distribute(frame: AudioFrame, nowMs: number): void {
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
