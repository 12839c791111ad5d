/**
 * Devices of users and handsets (browsers and SIP phones), and the messages they get about their
 * calls.
 */
import { randomBytes } from 'node:crypto';
import type { MediaIdentity } from './media-token.ts';
import type { FarEnd, HeardKind } from './leg-types.ts';
import type { Leg } from './leg.ts';

export type DeviceMessage =
  | { type: 'joined'; session: string; ringing: string[] }
  | { type: 'ring'; leg: string; from: string; to: string; callerName: string | null }
  | { type: 'answered'; leg: string }
  | { type: 'held'; leg: string; on: boolean }
  | { type: 'keys'; leg: string; digits: string }
  | { type: 'heard'; leg: string; kind: HeardKind; what: string }
  | { type: 'ended'; leg: string; because: string }
  | { type: 'ping' };

export interface Device {
  /** A secret: a request that names it acts as this device. */
  session: string;
  identity: MediaIdentity;
  /** Null while the browser's stream is disconnected. */
  send: ((message: DeviceMessage) => void) | null;
  /** `performance.now()` of the disconnection; null while it is connected. */
  lostMs: number | null;
  /** Legs that ring here or were answered here. */
  legs: Set<Leg>;
}

export class Devices {
  readonly #all = new Map<string, Device>();

  /**
   * The device that `resume` (a session) names when it has the same identity, or a new one: with
   * this session, unless that is another's.
   */
  join(identity: MediaIdentity, resume: string | null): Device {
    const old = resume === null ? undefined : this.#all.get(resume);
    if (old && sameDevice(old.identity, identity)) return old;
    const device: Device = {
      session: resume !== null && !old ? resume : randomBytes(18).toString('base64url'),
      identity,
      send: null,
      lostMs: null,
      legs: new Set(),
    };
    this.#all.set(device.session, device);
    return device;
  }

  /** Null when there is no such session. */
  get(session: string): Device | null {
    return this.#all.get(session) ?? null;
  }

  remove(device: Device): void {
    this.#all.delete(device.session);
  }

  all(): Iterable<Device> {
    return this.#all.values();
  }

  /** The connected devices that ring for this far end. */
  forFarEnd(farEnd: FarEnd): Device[] {
    return [...this.#all.values()].filter(({ send, identity }) => {
      if (send === null) return false;
      if (farEnd.kind === 'phone')
        return identity.kind === 'handset' && identity.number === farEnd.number;
      return (
        identity.kind === 'app' &&
        identity.userId === farEnd.userId &&
        (farEnd.companyId === null || farEnd.companyId === identity.companyId) &&
        (farEnd.device === null || farEnd.device === identity.device)
      );
    });
  }

  ring(device: Device, leg: Leg): void {
    device.legs.add(leg);
    device.send?.({
      type: 'ring',
      leg: leg.id,
      from: leg.from,
      to: leg.to,
      callerName: leg.callerName,
    });
  }

  /**
   * Sends a message to the devices of this leg. With `answeredBy`, the other devices that rang are
   * told that the call was answered elsewhere; null: by a scripted phone.
   */
  notify(leg: Leg, message: DeviceMessage | null, answeredBy?: Device | null): void {
    for (const device of this.#all.values()) {
      if (!device.legs.has(leg)) continue;
      if (answeredBy !== undefined && leg.direction === 'out' && device !== answeredBy) {
        device.legs.delete(leg);
        device.send?.({ type: 'ended', leg: leg.id, because: 'answeredElsewhere' });
      } else if (message) device.send?.(message);
    }
  }

  /** Tells the leg's devices that it has ended, and forgets it there. */
  notifyEnded(leg: Leg, because: string): void {
    this.notify(leg, { type: 'ended', leg: leg.id, because });
    for (const device of this.#all.values()) device.legs.delete(leg);
  }
}

function sameDevice(one: MediaIdentity, other: MediaIdentity): boolean {
  if (one.kind === 'app')
    return (
      other.kind === 'app' &&
      one.userId === other.userId &&
      one.companyId === other.companyId &&
      one.device === other.device
    );
  // A handset gets a new device name with every token.
  return other.kind === 'handset' && one.number === other.number;
}
