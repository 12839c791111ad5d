/** The exchange itself: which legs there are, how they ring, are answered, joined and ended, and what is reported of it. */
import { randomBytes } from 'node:crypto';
import type { LegEndCause, LegId, VoiceEvent } from '../../../ports/voice.ts';
import { isEmergency } from '../phone-number.ts';
import type { Device, Devices } from './devices.ts';
import { Leg, type FarEnd, type HeardKind } from './leg.ts';
import type { Peer } from './peer.ts';
import type { Recordings } from './recordings.ts';
import type { Reporter } from './report.ts';
import { Room, type Seat } from './room.ts';
import type { Sounds } from './sounds.ts';
import { TaskLine } from './tasks.ts';

/** A call nobody answers or refuses. */
const longestRingMs = 180_000;
/** An answered leg that hears nothing and is joined to nobody: the product has forgotten it. */
const longestIdleMs = 60_000;
/** A scripted phone costs next to nothing: twenty times as many calls are carried when nobody listens. */
const scriptedAreCheap = 20;
/** How long an ended leg can still be asked about. */
const rememberedMs = 60 * 60_000;

type News = VoiceEvent extends infer Event
  ? Event extends VoiceEvent
    ? Omit<Event, 'id' | 'call' | 'leg' | 'seq' | 'at'>
    : never
  : never;

/** How often a phone's words are read aloud until there is a sound. */
const mostReadings = 3;

export class Exchange {
  /** All that can still be asked about, and those of them that have not ended. */
  readonly legs = new Map<LegId, Leg>();
  readonly #live = new Set<Leg>();
  readonly #rooms = new Map<string, Room>();
  readonly tasks = new WeakMap<Leg, TaskLine>();
  /** When this exchange began, epoch ms: it knows of no leg from before. */
  readonly since = Date.now();
  readonly #born = randomBytes(6).toString('base64url');
  #events = 0;

  constructor(
    readonly sounds: Sounds,
    readonly devices: Devices,
    readonly recordings: Recordings,
    private readonly reporter: Reporter,
    private readonly maxCalls: number,
    /** Milliseconds a user without any device is waited for: a page that reloads is back within it. */
    private readonly unreachableAfterMs: number,
    readonly log: (message: string, detail?: object) => void,
  ) {}

  report(leg: Leg, news: News): void {
    this.reporter.tell({
      id: `${this.#born}-${++this.#events}`,
      call: leg.call,
      leg: leg.id,
      seq: leg.nextSeq(),
      at: Date.now(),
      ...news,
    } as VoiceEvent);
  }

  /** A leg the exchange does not know (it restarted): whoever still believes in it learns that it is over. */
  reportLost(leg: LegId): void {
    this.reporter.tell({
      id: `lost-${leg}`,
      call: leg,
      leg,
      seq: Date.now(),
      at: Date.now(),
      type: 'legEnded',
      cause: 'failed',
    });
  }

  taskLine(leg: Leg): TaskLine {
    const line = this.tasks.get(leg) ?? new TaskLine();
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
      this.calls >= this.maxCalls * scriptedAreCheap
    );
  }

  /** An outside phone calls one of the product's numbers. */
  callIn(
    from: string,
    to: string,
    phone: {
      speech?: string | undefined;
      device?: Device;
      peer?: Peer;
      /** A carrier's line to somebody's browsers. */ line?: boolean;
    } = {},
  ): Leg {
    const id = `sb_${randomBytes(9).toString('base64url')}`;
    const leg = new Leg(id, id, 'in', { kind: 'phone', number: from }, from, to, null, this.#heard);
    leg.ringMs = longestRingMs;
    leg.toSay = phone.speech ?? null;
    leg.heldBy = phone.device ?? null;
    leg.isLine = phone.line ?? false;
    const { full } = this;
    this.#enter(leg);
    if (phone.peer) leg.peer = phone.peer;
    phone.device?.lines.add(leg);
    if (full) {
      this.end(leg, 'busy', 'busy', true);
      return leg;
    }
    leg.hold(null, this.sounds.ringing());
    this.report(leg, { type: 'inbound', from, to });
    return leg;
  }

  /** The product calls out. `id` is the product's own name for the leg. */
  callOut(
    id: LegId,
    farEnd: FarEnd,
    callerId: string,
    callerName: string | null,
    timeoutSeconds: number,
    onBehalfOf: LegId | null,
  ): void {
    if (this.legs.has(id)) return;
    const behalf = onBehalfOf === null ? null : (this.legs.get(onBehalfOf) ?? null);
    const full = behalf === null && this.full;
    const to =
      farEnd.kind === 'phone'
        ? farEnd.number
        : ((behalf?.isLine ? behalf.from : behalf?.to) ?? callerId);
    const leg = new Leg(
      id,
      behalf?.call ?? onBehalfOf ?? id,
      'out',
      farEnd,
      callerId,
      to,
      callerName,
      this.#heard,
    );
    leg.ringMs = Math.min(longestRingMs, timeoutSeconds * 1000);
    this.#enter(leg);
    if (full) return this.end(leg, 'busy', 'busy');
    if (farEnd.kind === 'phone' && isEmergency(farEnd.number))
      return this.end(leg, 'failed', 'emergency');
    setTimeout(() => {
      if (leg.state === 'ringing' && !leg.claimed) this.end(leg, 'noAnswer', 'noAnswer');
    }, timeoutSeconds * 1000).unref();
    const devices = this.devices.of(farEnd);
    for (const device of devices) this.devices.ring(device, leg);
    if (farEnd.kind === 'phone' || devices.length > 0) this.report(leg, { type: 'legRinging' });
    else
      setTimeout(() => {
        if (leg.state === 'ringing' && !leg.claimed && this.devices.of(farEnd).length === 0)
          this.end(leg, 'failed', 'unreachable');
      }, this.unreachableAfterMs).unref();
  }

  #enter(leg: Leg): void {
    this.legs.set(leg.id, leg);
    this.#live.add(leg);
  }

  /** A device came online while its phone is being rung. */
  ringLate(device: Device): void {
    for (const leg of this.#live) {
      if (
        leg.state !== 'ringing' ||
        leg.direction !== 'out' ||
        leg.claimed ||
        !this.devices.of(leg.farEnd).includes(device)
      )
        continue;
      this.devices.ring(device, leg);
      this.report(leg, { type: 'legRinging' });
    }
  }

  /** The far end picked up (a leg we rang), or the product did (a call that came in). */
  answered(leg: Leg, by: Device | null = null): void {
    if (leg.state !== 'ringing') return;
    leg.state = 'answered';
    leg.claimed = false;
    leg.busyMs = performance.now();
    leg.unhold();
    if (by) leg.heldBy = by;
    this.devices.told(leg, leg.direction === 'in' ? { type: 'answered', leg: leg.id } : null, by);
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
    this.part(leg);
    this.rise(leg);
    this.tasks.get(leg)?.cutShort();
    leg.stopPlaying();
    leg.unhold();
    this.recordings.legEnded(leg);
    leg.listeners.clear();
    this.devices.ended(leg, because);
    leg.peer?.close();
    leg.peer = null;
    if (!quietly) this.report(leg, { type: 'legEnded', cause });
  }

  /** Let two legs hear each other. What either was hearing stops. */
  join(one: Leg, other: Leg): void {
    if (one.partner === other) return;
    for (const leg of [one, other]) this.#clear(leg);
    one.partner = other;
    other.partner = one;
    one.log('bridge', name(other));
    other.log('bridge', name(one));
    for (const leg of [one, other]) leg.sounds();
    for (const leg of [one, other]) this.#speakSoon(leg);
  }

  /** What the leg was hearing stops. */
  #clear(leg: Leg): void {
    this.part(leg);
    this.rise(leg);
    leg.busyMs = performance.now();
    leg.typedAhead = '';
    leg.unhold();
    this.tasks.get(leg)?.cutShort();
    leg.stopPlaying();
    this.devices.told(leg, { type: 'held', leg: leg.id, on: false });
  }

  /** Into a room, or another role there. */
  sit(name_: string, leg: Leg, seat: Seat): void {
    const room = this.#rooms.get(name_) ?? new Room();
    this.#rooms.set(name_, room);
    if (leg.room !== room) this.#clear(leg);
    leg.room = room;
    room.sit(leg, seat);
    leg.sounds();
    leg.log(
      'bridge',
      seat.role === 'talk'
        ? `room with ${
            room
              .legs()
              .filter((other) => room.hears(other, leg))
              .map(name)
              .join(', ') || 'nobody yet'
          }`
        : `room, ${seat.role}`,
    );
    this.#speakSoon(leg);
  }

  rise(leg: Leg): void {
    const { room } = leg;
    if (!room) return;
    room.rise(leg);
    leg.room = null;
    leg.busyMs = performance.now();
    if (room.size === 0)
      for (const [key, value] of this.#rooms) if (value === room) this.#rooms.delete(key);
  }

  part(leg: Leg): void {
    const { partner } = leg;
    if (!partner) return;
    leg.partner = null;
    partner.partner = null;
    partner.busyMs = performance.now();
    leg.busyMs = performance.now();
  }

  /** The far end pressed keys: they answer what was asked, or are told, or wait until something asks. */
  pressed(leg: Leg, digits: string): void {
    if (leg.state === 'ended') return;
    let told = '';
    for (const digit of digits.replace(/[^0-9*#A-D]/g, '')) {
      if (leg.onKey) leg.onKey(digit);
      else if (leg.partner || leg.room || this.recordings.voicemailOf(leg)) {
        if (!this.recordings.keyEnds(leg, digit)) told += digit;
      } else leg.typedAhead += digit;
    }
    if (told === '') return;
    this.report(leg, { type: 'digits', digits: told });
    if (leg.partner)
      this.devices.told(leg.partner, { type: 'keys', leg: leg.partner.id, digits: told });
  }

  /** Speak for this phone, now or as soon as somebody listens. */
  async speak(leg: Leg, text: string): Promise<void> {
    leg.toSay = leg.toSay === null ? text : `${leg.toSay} ${text}`;
    if (leg.partner || leg.room || this.recordings.voicemailOf(leg)) await this.speakNow(leg);
  }

  async speakNow(leg: Leg): Promise<void> {
    const text = leg.toSay;
    if (text === null) return;
    leg.toSay = null;
    let sound = await this.sounds.say(text);
    // A busy machine gives up reading aloud now and then; these words are said once only, so they are read again.
    for (
      let tries = 1;
      sound.frames.length === 0 && tries < mostReadings && leg.state === 'answered';
      tries++
    )
      sound = await this.sounds.say(text);
    if (leg.state === 'answered') leg.say(text, sound, performance.now());
  }

  /** A third of a second after joining, so that a recording started with the bridge holds the first word. */
  #speakSoon(leg: Leg): void {
    if (leg.toSay === null) return;
    void this.sounds.say(leg.toSay);
    setTimeout(() => (leg.partner || leg.room) && void this.speakNow(leg), 350).unref();
  }

  readonly #heard = (leg: Leg, kind: HeardKind, what: string): void => {
    if (leg.farEnd.kind === 'phone')
      this.devices.told(leg, { type: 'heard', leg: leg.id, kind, what });
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
      if (nowMs - (leg.endedAtMs ?? nowMs) > rememberedMs) this.legs.delete(leg.id);
    // Whoever put the other on hold hears nothing meanwhile, and is not forgotten.
    const held = new Set([...this.#live].filter((leg) => leg.held).map((leg) => leg.call));
    for (const leg of this.#live) {
      if (leg.state === 'ringing') {
        if (!leg.claimed && nowMs - leg.createdMs > leg.ringMs)
          this.end(leg, 'noAnswer', 'noAnswer');
      } else if (
        leg.isLine ||
        leg.partner ||
        leg.room ||
        held.has(leg.call) ||
        this.recordings.voicemailOf(leg) ||
        (this.tasks.get(leg)?.length ?? 0) > 0
      ) {
        leg.busyMs = nowMs;
      } else if (nowMs - leg.busyMs > longestIdleMs) {
        this.log('A leg was left alone and is hung up', { leg: leg.id });
        this.end(leg, 'failed', 'abandoned');
      }
    }
  }
}

const name = (leg: Leg): string =>
  leg.farEnd.kind === 'phone' ? leg.farEnd.number : `user ${leg.farEnd.userId}`;
