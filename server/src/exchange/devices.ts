/** Browsers that have joined the media plane: each holds one stream open and is told there what happens on its lines. */
import { randomBytes } from 'node:crypto';
import type { MediaIdentity } from '../adapters/sandbox/media-token.ts';
import type { FarEnd, HeardKind, Leg } from './leg.ts';

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
  /** Unguessable: whoever knows it speaks for this device. */
  session: string;
  identity: MediaIdentity;
  /** Null while the browser's stream is cut. */
  send: ((message: DeviceMessage) => void) | null;
  lostMs: number | null;
  /** Lines it shows: ringing here, or answered here. */
  legs: Set<Leg>;
}

export class Devices {
  readonly #all = new Map<string, Device>();

  join(identity: MediaIdentity, resume: string | null): Device {
    const old = resume === null ? undefined : this.#all.get(resume);
    if (old && sameDevice(old.identity, identity)) return old;
    const device: Device = {
      session: randomBytes(18).toString('base64url'),
      identity,
      send: null,
      lostMs: null,
      legs: new Set(),
    };
    this.#all.set(device.session, device);
    return device;
  }

  get(session: string): Device | null {
    return this.#all.get(session) ?? null;
  }

  remove(device: Device): void {
    this.#all.delete(device.session);
  }

  all(): Iterable<Device> {
    return this.#all.values();
  }

  /** Who can be rung for this far end now. */
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
   * Tell the device on this leg. With `answeredBy`, the others that were rung learn that they were too late.
   * A null `answeredBy` on a leg we rang means that the phone was answered elsewhere (a scripted phone).
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
  // A handset's device is named anew with every token.
  return other.kind === 'handset' && one.number === other.number;
}
