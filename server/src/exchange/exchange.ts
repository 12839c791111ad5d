/** The exchange itself: which legs there are, how they ring, are answered, joined and ended, and what is reported of it. */
import { randomBytes } from 'node:crypto';
import type { LegEndCause, LegId, VoiceEvent } from '../gateways/voice.ts';
import { isEmergency } from '../adapters/sandbox/phone-number.ts';
import type { Device, Devices } from './devices.ts';
import { Leg, type FarEnd, type HeardKind } from './leg.ts';
import type { Peer } from './peer.ts';
import type { Recordings } from './recordings.ts';
import type { WebhookReporter } from './webhook-reporter.ts';
import { Room, type RoomRole } from './room.ts';
import type { Sounds } from './sounds.ts';
import { TaskQueue } from './leg-tasks.ts';

/** A call nobody answers or refuses. */
const maxRingMs = 180_000;
/** An answered leg that hears nothing and is joined to nobody: the product has forgotten it. */
const maxIdleMs = 60_000;
/** A scripted phone costs next to nothing: twenty times as many calls are carried when nobody listens. */
const scriptedCallFactor = 20;
/** How long an ended leg can still be asked about. */
const endedLegTtlMs = 60 * 60_000;

type EventBody = VoiceEvent extends infer Event
  ? Event extends VoiceEvent
    ? Omit<Event, 'id' | 'call' | 'leg' | 'seq' | 'at'>
    : never
  : never;

/** How often a phone's words are read aloud until there is a sound. */
const maxSpeechTries = 3;

export class Exchange {
  /** All that can still be asked about, and those of them that have not ended. */
  readonly legs = new Map<LegId, Leg>();
  readonly #live = new Set<Leg>();
  readonly #rooms = new Map<string, Room>();
  readonly tasks = new WeakMap<Leg, TaskQueue>();
  /** When this exchange began, epoch ms: it knows of no leg from before. */
  readonly since = Date.now();
  readonly #born = randomBytes(6).toString('base64url');
  #events = 0;

  constructor(
    readonly sounds: Sounds,
    readonly devices: Devices,
    readonly recordings: Recordings,
    private readonly reporter: WebhookReporter,
    private readonly maxCalls: number,
    /** Milliseconds a user without any device is waited for: a page that reloads is back within it. */
    private readonly unreachableAfterMs: number,
    readonly log: (message: string, detail?: object) => void,
  ) {}

  report(leg: Leg, body: EventBody): void {
    this.reporter.enqueue({
      id: `${this.#born}-${++this.#events}`,
      call: leg.call,
      leg: leg.id,
      seq: leg.nextSeq(),
      at: Date.now(),
      ...body,
    } as VoiceEvent);
  }

  /** A leg the exchange does not know (it restarted): whoever still believes in it learns that it is over. */
  reportLost(leg: LegId): void {
    this.reporter.enqueue({
      id: `lost-${leg}`,
      call: leg,
      leg,
      seq: Date.now(),
      at: Date.now(),
      type: 'legEnded',
      cause: 'failed',
    });
  }

  taskQueue(leg: Leg): TaskQueue {
    const line = this.tasks.get(leg) ?? new TaskQueue();
    this.tasks.set(leg, line);
    return line;
  }

  /** Calls that are going on. */
  get calls(): number {
    return new Set([...this.#live].map((leg) => leg.call)).size;
  }

  /** No room for another call: as many browsers are talking as `maxCalls` calls between two have, or far too many phones. */
  get full(): boolean {
    return (
      [...this.#live].filter((leg) => leg.peer).length >= this.maxCalls * 2 ||
      this.calls >= this.maxCalls * scriptedCallFactor
    );
  }

  /** An outside phone calls one of the product's numbers. */
  receiveCall(
    from: string,
    to: string,
    phone: {
      speech?: string | undefined;
      device?: Device;
      peer?: Peer;
      /** A carrier's line to somebody's browsers. */ interconnect?: boolean;
    } = {},
  ): Leg {
    const id = `sb_${randomBytes(9).toString('base64url')}`;
    const leg = new Leg(id, id, 'in', { kind: 'phone', number: from }, from, to, null, this.#heard);
    leg.ringTimeoutMs = maxRingMs;
    leg.pendingSpeech = phone.speech ?? null;
    leg.device = phone.device ?? null;
    leg.isInterconnect = phone.interconnect ?? false;
    const { full } = this;
    this.#enter(leg);
    if (phone.peer) leg.peer = phone.peer;
    phone.device?.legs.add(leg);
    if (full) {
      this.end(leg, 'busy', 'busy', true);
      return leg;
    }
    leg.startHoldMusic(null, this.sounds.ringing());
    this.report(leg, { type: 'inbound', from, to });
    return leg;
  }

  /** The product calls out. `id` is the product's own name for the leg. */
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
    const to =
      farEnd.kind === 'phone'
        ? farEnd.number
        : ((parent?.isInterconnect ? parent.from : parent?.to) ?? callerId);
    const leg = new Leg(
      id,
      parent?.call ?? onBehalfOf ?? id,
      'out',
      farEnd,
      callerId,
      to,
      callerName,
      this.#heard,
    );
    leg.ringTimeoutMs = Math.min(maxRingMs, timeoutSeconds * 1000);
    this.#enter(leg);
    if (full) return this.end(leg, 'busy', 'busy');
    if (farEnd.kind === 'phone' && isEmergency(farEnd.number))
      return this.end(leg, 'failed', 'emergency');
    setTimeout(() => {
      if (leg.state === 'ringing' && !leg.claimed) this.end(leg, 'noAnswer', 'noAnswer');
    }, timeoutSeconds * 1000).unref();
    const devices = this.devices.forFarEnd(farEnd);
    for (const device of devices) this.devices.ring(device, leg);
    if (farEnd.kind === 'phone' || devices.length > 0) this.report(leg, { type: 'legRinging' });
    else
      setTimeout(() => {
        if (leg.state === 'ringing' && !leg.claimed && this.devices.forFarEnd(farEnd).length === 0)
          this.end(leg, 'failed', 'unreachable');
      }, this.unreachableAfterMs).unref();
  }

  #enter(leg: Leg): void {
    this.legs.set(leg.id, leg);
    this.#live.add(leg);
  }

  /** A device came online while its phone is being rung. */
  ringNewDevice(device: Device): void {
    for (const leg of this.#live) {
      if (
        leg.state !== 'ringing' ||
        leg.direction !== 'out' ||
        leg.claimed ||
        !this.devices.forFarEnd(leg.farEnd).includes(device)
      )
        continue;
      this.devices.ring(device, leg);
      this.report(leg, { type: 'legRinging' });
    }
  }

  /** The far end picked up (a leg we rang), or the product did (a call that came in). */
  answer(leg: Leg, by: Device | null = null): void {
    if (leg.state !== 'ringing') return;
    leg.state = 'answered';
    leg.claimed = false;
    leg.lastActiveMs = performance.now();
    leg.stopHoldMusic();
    if (by) leg.device = by;
    this.devices.notify(leg, leg.direction === 'in' ? { type: 'answered', leg: leg.id } : null, by);
    this.report(
      leg,
      by && leg.farEnd.kind === 'app'
        ? { type: 'legAnswered', by: { device: by.identity.device } }
        : { type: 'legAnswered' },
    );
  }

  /** `quietly` when the product was never told of the leg. */
  end(leg: Leg, cause: LegEndCause, because: string, quietly = false): void {
    if (leg.state === 'ended') return;
    leg.state = 'ended';
    this.#live.delete(leg);
    leg.cause = cause;
    leg.endedBecause = because;
    leg.endedAtMs = performance.now();
    this.unbridge(leg);
    this.leaveRoom(leg);
    this.tasks.get(leg)?.cancelAll();
    leg.stopPlaying();
    leg.stopHoldMusic();
    this.recordings.legEnded(leg);
    leg.listeners.clear();
    this.devices.notifyEnded(leg, because);
    leg.peer?.close();
    leg.peer = null;
    if (!quietly) this.report(leg, { type: 'legEnded', cause });
  }

  /** Let two legs hear each other. What either was hearing stops. */
  bridge(one: Leg, other: Leg): void {
    if (one.partner === other) return;
    for (const leg of [one, other]) this.#clear(leg);
    one.partner = other;
    other.partner = one;
    one.logHeard('bridge', farEndName(other));
    other.logHeard('bridge', farEndName(one));
    for (const leg of [one, other]) leg.notifyAudio();
    for (const leg of [one, other]) this.#speakSoon(leg);
  }

  /** What the leg was hearing stops. */
  #clear(leg: Leg): void {
    this.unbridge(leg);
    this.leaveRoom(leg);
    leg.lastActiveMs = performance.now();
    leg.bufferedDigits = '';
    leg.stopHoldMusic();
    this.tasks.get(leg)?.cancelAll();
    leg.stopPlaying();
    this.devices.notify(leg, { type: 'held', leg: leg.id, on: false });
  }

  /** Into a room, or another role there. */
  joinRoom(roomName: string, leg: Leg, role: RoomRole): void {
    const room = this.#rooms.get(roomName) ?? new Room();
    this.#rooms.set(roomName, room);
    if (leg.room !== room) this.#clear(leg);
    leg.room = room;
    room.join(leg, role);
    leg.notifyAudio();
    leg.logHeard(
      'bridge',
      role.role === 'talk'
        ? `room with ${
            room
              .legs()
              .filter((other) => room.canHear(other, leg))
              .map(farEndName)
              .join(', ') || 'no one yet'
          }`
        : `room, ${role.role}`,
    );
    this.#speakSoon(leg);
  }

  leaveRoom(leg: Leg): void {
    const { room } = leg;
    if (!room) return;
    room.leave(leg);
    leg.room = null;
    leg.lastActiveMs = performance.now();
    if (room.size === 0)
      for (const [key, value] of this.#rooms) if (value === room) this.#rooms.delete(key);
  }

  unbridge(leg: Leg): void {
    const { partner } = leg;
    if (!partner) return;
    leg.partner = null;
    partner.partner = null;
    partner.lastActiveMs = performance.now();
    leg.lastActiveMs = performance.now();
  }

  /** The far end pressed keys: they answer what was asked, or are told, or wait until something asks. */
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
    this.report(leg, { type: 'digits', digits: reported });
    if (leg.partner)
      this.devices.notify(leg.partner, { type: 'keys', leg: leg.partner.id, digits: reported });
  }

  /** Speak for this phone, now or as soon as somebody listens. */
  async speak(leg: Leg, text: string): Promise<void> {
    leg.pendingSpeech = leg.pendingSpeech === null ? text : `${leg.pendingSpeech} ${text}`;
    if (leg.partner || leg.room || this.recordings.isLeavingVoicemail(leg))
      await this.speakNow(leg);
  }

  async speakNow(leg: Leg): Promise<void> {
    const text = leg.pendingSpeech;
    if (text === null) return;
    leg.pendingSpeech = null;
    let sound = await this.sounds.speech(text);
    // A busy machine gives up reading aloud now and then; these words are said once only, so they are read again.
    for (
      let tries = 1;
      sound.frames.length === 0 && tries < maxSpeechTries && leg.state === 'answered';
      tries++
    )
      sound = await this.sounds.speech(text);
    if (leg.state === 'answered') leg.speak(text, sound, performance.now());
  }

  /** A third of a second after joining, so that a recording started with the bridge holds the first word. */
  #speakSoon(leg: Leg): void {
    if (leg.pendingSpeech === null) return;
    void this.sounds.speech(leg.pendingSpeech);
    setTimeout(() => (leg.partner || leg.room) && void this.speakNow(leg), 350).unref();
  }

  readonly #heard = (leg: Leg, kind: HeardKind, what: string): void => {
    if (leg.farEnd.kind === 'phone')
      this.devices.notify(leg, { type: 'heard', leg: leg.id, kind, what });
  };

  /** Every 20 ms: each leg's next packet. */
  tick(nowMs: number): void {
    for (const room of this.#rooms.values()) room.tick();
    for (const leg of this.#live) if (leg.peer || leg.state === 'answered') leg.tick(nowMs);
    this.recordings.tick(nowMs);
  }

  /** Every second: end what everybody has forgotten, forget what has long ended. */
  sweep(nowMs: number): void {
    for (const leg of this.legs.values())
      if (nowMs - (leg.endedAtMs ?? nowMs) > endedLegTtlMs) this.legs.delete(leg.id);
    // Whoever put the other on hold hears nothing meanwhile, and is not forgotten.
    const held = new Set([...this.#live].filter((leg) => leg.held).map((leg) => leg.call));
    for (const leg of this.#live) {
      if (leg.state === 'ringing') {
        if (!leg.claimed && nowMs - leg.createdMs > leg.ringTimeoutMs)
          this.end(leg, 'noAnswer', 'noAnswer');
      } else if (
        leg.isInterconnect ||
        leg.partner ||
        leg.room ||
        held.has(leg.call) ||
        this.recordings.isLeavingVoicemail(leg) ||
        (this.tasks.get(leg)?.length ?? 0) > 0
      ) {
        leg.lastActiveMs = nowMs;
      } else if (nowMs - leg.lastActiveMs > maxIdleMs) {
        this.log('A leg was left without a call and is hung up', { leg: leg.id });
        this.end(leg, 'failed', 'abandoned');
      }
    }
  }
}

const farEndName = (leg: Leg): string =>
  leg.farEnd.kind === 'phone' ? leg.farEnd.number : `user ${leg.farEnd.userId}`;
