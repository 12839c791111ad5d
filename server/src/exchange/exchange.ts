/**
 * The exchange: its legs, how they ring, are answered, joined and ended, and the events it reports.
 */
import { randomBytes } from 'node:crypto';
import type { LegEndCause, LegId } from '../gateways/voice.ts';
import { isEmergency } from './phone-number.ts';
import type { Device, Devices } from './devices.ts';
import { Leg } from './leg.ts';
import type { FarEnd, HeardKind } from './leg-types.ts';
import type { Peer } from './peer.ts';
import type { Recordings } from './recordings.ts';
import { LegJoins } from './leg-joins.ts';
import type { LegEvents } from './leg-events.ts';
import { PhoneSpeech } from './phone-speech.ts';
import type { Sounds } from './sounds.ts';
import { sweepLegs } from './sweep-legs.ts';

/** A call that is neither answered nor refused ends after this. Milliseconds. */
const maxRingMs = 180_000;
/** Calls of scripted phones have no audio, so the exchange carries this many times as many. */
const scriptedCallFactor = 20;
/** How long an ended leg can still be looked up. Milliseconds. */
const endedLegTtlMs = 60 * 60_000;

export class Exchange {
  /** All legs that can be looked up, ended ones included. */
  readonly legs = new Map<LegId, Leg>();
  /** Legs that have not ended. */
  readonly #live = new Set<Leg>();
  readonly speech: PhoneSpeech;
  readonly joins: LegJoins;
  /** It takes no new calls, because it is about to stop. */
  draining = false;
  /** Its id among several; null: it is the only one, and has none. */
  id: () => string | null = () => null;

  constructor(
    readonly sounds: Sounds,
    readonly devices: Devices,
    readonly recordings: Recordings,
    readonly events: LegEvents,
    private readonly maxCalls: number,
    /** How long to wait for a user without a device, ms: a page that reloads is back within it. */
    private readonly unreachableAfterMs: number,
    readonly log: (message: string, detail?: object) => void,
  ) {
    this.speech = new PhoneSpeech(sounds, recordings);
    this.joins = new LegJoins(devices, this.speech);
  }

  /** Number of calls with a leg that has not ended. */
  get calls(): number {
    return new Set([...this.#live].map((leg) => leg.call)).size;
  }

  /**
   * The part of the capacity in use, from 0: browsers use the audio of `maxCalls` calls at 1, or
   * there are too many calls in all.
   */
  get load(): number {
    const callsWithAudio = this.#callsWithAudio;
    return Math.max(callsWithAudio, this.calls / scriptedCallFactor) / this.maxCalls;
  }

  get #callsWithAudio(): number {
    return [...this.#live].filter((leg) => leg.peer).length / 2;
  }

  /** No capacity for another call, or it is about to stop. */
  get full(): boolean {
    this.#warnNearLimit(this.#callsWithAudio);
    return this.draining || this.load >= 1;
  }

  /** Ends every leg, and reports that. */
  endAll(because: string): void {
    for (const leg of [...this.#live]) this.end(leg, 'failed', because);
  }

  #warnedAt = -Infinity;
  /** Says once a minute that calls will soon be refused. */
  #warnNearLimit(withAudio: number): void {
    const now = performance.now();
    if (withAudio < this.maxCalls * 0.8 || now - this.#warnedAt < 60_000) return;
    this.#warnedAt = now;
    this.log('Our exchange is nearly full; above MEDIA_CALLS callers hear busy', {
      callsWithAudio: Math.ceil(withAudio),
      mediaCalls: this.maxCalls,
    });
  }

  /**
   * An outside phone calls one of the product's numbers. When the exchange is full, the leg has
   * already ended as busy.
   */
  receiveCall(
    from: string,
    to: string,
    phone: {
      speech?: string | undefined;
      device?: Device;
      peer?: Peer;
      /** The call is a carrier's, to be joined to a user's browser. */
      interconnect?: boolean;
    } = {},
  ): Leg {
    const exchange = this.id();
    const id = `sb_${randomBytes(9).toString('base64url')}`;
    const leg = new Leg(
      id,
      id,
      'in',
      { kind: 'phone', number: from },
      from,
      to,
      null,
      this.#onHeard,
    );
    leg.ringTimeoutMs = maxRingMs;
    leg.pendingSpeech = phone.speech ?? null;
    leg.device = phone.device ?? null;
    leg.isInterconnect = phone.interconnect ?? false;
    const { full } = this;
    this.#add(leg);
    if (phone.peer) leg.peer = phone.peer;
    phone.device?.legs.add(leg);
    if (full) {
      this.end(leg, 'busy', 'busy', true);
      return leg;
    }
    leg.startHoldMusic(null, this.sounds.ringing());
    this.events.report(leg, { type: 'inbound', from, to, ...(exchange && { exchange }) });
    return leg;
  }

  /**
   * The product calls out. `id` is the product's id of the leg; one that is known already is
   * ignored. `onBehalfOf`: the leg whose call this one joins; null for a call of its own.
   */
  placeCall(
    id: LegId,
    farEnd: FarEnd,
    callerId: string,
    callerName: string | null,
    timeoutSeconds: number,
    onBehalfOf: LegId | null,
  ): void {
    if (this.legs.has(id)) return;
    const parent = onBehalfOf === null ? null : (this.legs.get(onBehalfOf) ?? null);
    const full = parent === null && this.full;
    const parentNumber = parent?.isInterconnect ? parent.from : parent?.to;
    const to = farEnd.kind === 'phone' ? farEnd.number : (parentNumber ?? callerId);
    const call = parent?.call ?? onBehalfOf ?? id;
    const leg = new Leg(id, call, 'out', farEnd, callerId, to, callerName, this.#onHeard);
    leg.ringTimeoutMs = Math.min(maxRingMs, timeoutSeconds * 1000);
    this.#add(leg);
    if (full) return this.end(leg, 'busy', 'busy');
    if (farEnd.kind === 'phone' && isEmergency(farEnd.number))
      return this.end(leg, 'failed', 'emergency');
    this.#ring(leg, timeoutSeconds * 1000);
  }

  #ring(leg: Leg, timeoutMs: number): void {
    const isRinging = (): boolean => leg.state === 'ringing' && !leg.claimed;
    setTimeout(() => {
      if (isRinging()) this.end(leg, 'noAnswer', 'noAnswer');
    }, timeoutMs).unref();
    const devices = this.devices.forFarEnd(leg.farEnd);
    for (const device of devices) this.devices.ring(device, leg);
    if (leg.farEnd.kind === 'phone' || devices.length > 0)
      return this.events.report(leg, { type: 'legRinging' });
    setTimeout(() => {
      if (isRinging() && this.devices.forFarEnd(leg.farEnd).length === 0)
        this.end(leg, 'failed', 'unreachable');
    }, this.unreachableAfterMs).unref();
  }

  #add(leg: Leg): void {
    this.legs.set(leg.id, leg);
    this.#live.add(leg);
  }

  /** A device came online: rings it for the calls that ring its user or number. */
  ringNewDevice(device: Device): void {
    for (const leg of this.#live) {
      const rings = leg.state === 'ringing' && leg.direction === 'out' && !leg.claimed;
      if (!rings || !this.devices.forFarEnd(leg.farEnd).includes(device)) continue;
      this.devices.ring(device, leg);
      this.events.report(leg, { type: 'legRinging' });
    }
  }

  /** The far end answered (a leg we rang), or the product did (a call that came in). */
  answer(leg: Leg, by: Device | null = null): void {
    if (leg.state !== 'ringing') return;
    leg.state = 'answered';
    leg.claimed = false;
    leg.lastActiveMs = performance.now();
    leg.stopHoldMusic();
    if (by) leg.device = by;
    this.devices.notify(leg, leg.direction === 'in' ? { type: 'answered', leg: leg.id } : null, by);
    this.events.report(
      leg,
      by && leg.farEnd.kind === 'app'
        ? { type: 'legAnswered', by: { device: by.identity.device } }
        : { type: 'legAnswered' },
    );
  }

  /** `quietly`: without an event, for a leg that was never reported. */
  end(leg: Leg, cause: LegEndCause, because: string, quietly = false): void {
    if (leg.state === 'ended') return;
    leg.state = 'ended';
    this.#live.delete(leg);
    leg.cause = cause;
    leg.endedBecause = because;
    leg.endedAtMs = performance.now();
    this.joins.unbridge(leg);
    this.joins.leaveRoom(leg);
    leg.tasks.cancelAll();
    leg.stopPlaying();
    leg.stopHoldMusic();
    this.recordings.legEnded(leg);
    leg.listeners.clear();
    this.devices.notifyEnded(leg, because);
    leg.peer?.close();
    leg.peer = null;
    if (!quietly) this.events.report(leg, { type: 'legEnded', cause });
  }

  /**
   * The far end pressed keys: a gather takes them, a conversation reports them, otherwise they are
   * buffered.
   */
  receiveDigits(leg: Leg, digits: string): void {
    if (leg.state === 'ended') return;
    let reported = '';
    for (const digit of digits.replace(/[^0-9*#A-D]/g, '')) {
      if (leg.onKey) leg.onKey(digit);
      else if (leg.partner || leg.room || this.recordings.isLeavingVoicemail(leg)) {
        if (!this.recordings.stopByKey(leg, digit)) reported += digit;
      } else leg.bufferedDigits += digit;
    }
    if (reported === '') return;
    this.events.report(leg, { type: 'digits', digits: reported });
    if (leg.partner)
      this.devices.notify(leg.partner, { type: 'keys', leg: leg.partner.id, digits: reported });
  }

  readonly #onHeard = (leg: Leg, kind: HeardKind, what: string): void => {
    if (leg.farEnd.kind === 'phone')
      this.devices.notify(leg, { type: 'heard', leg: leg.id, kind, what });
  };

  /** Every 20 ms: each leg's next packet. */
  tick(nowMs: number): void {
    this.joins.tick();
    for (const leg of this.#live) if (leg.peer || leg.state === 'answered') leg.tick(nowMs);
    this.recordings.tick(nowMs);
  }

  /**
   * Every second: ends legs that the product has forgotten, and deletes those that ended long ago.
   */
  sweep(nowMs: number): void {
    for (const leg of this.legs.values())
      if (nowMs - (leg.endedAtMs ?? nowMs) > endedLegTtlMs) this.legs.delete(leg.id);
    sweepLegs(this, this.#live, nowMs);
  }

  /** Whether the leg plays, records or waits for something, or is joined to another leg. */
  isInUse(leg: Leg): boolean {
    if (leg.isInterconnect || leg.partner || leg.room) return true;
    return this.recordings.isLeavingVoicemail(leg) || leg.tasks.length > 0;
  }
}
