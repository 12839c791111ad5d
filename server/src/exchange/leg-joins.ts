import type { Devices } from './devices.ts';
import type { Leg } from './leg.ts';
import type { PhoneSpeech } from './phone-speech.ts';
import type { RoomRole } from './room.ts';
import { Rooms } from './rooms.ts';

/** Which legs hear each other: two that are bridged, or the members of a conference room. */
export class LegJoins {
  readonly #rooms = new Rooms();

  constructor(
    private readonly devices: Devices,
    private readonly speech: PhoneSpeech,
  ) {}

  /** Lets two legs hear each other. What either was hearing stops. */
  bridge(one: Leg, other: Leg): void {
    if (one.partner === other) return;
    for (const leg of [one, other]) this.#stopAudio(leg);
    one.partner = other;
    other.partner = one;
    one.logHeard('bridge', other.farEndName);
    other.logHeard('bridge', one.farEndName);
    for (const leg of [one, other]) leg.notifyAudio();
    for (const leg of [one, other]) this.speech.speakAfterJoining(leg);
  }

  /** Stops what the leg is hearing, and its tasks. */
  #stopAudio(leg: Leg): void {
    this.unbridge(leg);
    this.leaveRoom(leg);
    leg.lastActiveMs = performance.now();
    leg.bufferedDigits = '';
    leg.stopHoldMusic();
    leg.tasks.cancelAll();
    leg.stopPlaying();
    this.devices.notify(leg, { type: 'held', leg: leg.id, on: false });
  }

  /** Joins a room, or changes the leg's role there. */
  joinRoom(roomName: string, leg: Leg, role: RoomRole): void {
    const room = this.#rooms.open(roomName);
    if (leg.room !== room) this.#stopAudio(leg);
    leg.room = room;
    room.join(leg, role);
    leg.notifyAudio();
    const others = room.legs().filter((other) => room.canHear(other, leg));
    const names = others.map((other) => other.farEndName).join(', ') || 'no one yet';
    const isTalking = role.role === 'talk';
    leg.logHeard('bridge', isTalking ? `room with ${names}` : `room, ${role.role}`);
    this.speech.speakAfterJoining(leg);
  }

  leaveRoom(leg: Leg): void {
    this.#rooms.leave(leg);
  }

  unbridge(leg: Leg): void {
    const { partner } = leg;
    if (!partner) return;
    leg.partner = null;
    partner.partner = null;
    partner.lastActiveMs = performance.now();
    leg.lastActiveMs = performance.now();
  }

  /** Every 20 ms, before the legs. */
  tick(): void {
    this.#rooms.tick();
  }
}
