import type { Leg } from './leg.ts';
import { Room } from './room.ts';

/** The exchange's conference rooms by name; a room exists while a leg is in it. */
export class Rooms {
  readonly #byName = new Map<string, Room>();

  /** The room of this name; created when there is none. */
  open(name: string): Room {
    const room = this.#byName.get(name) ?? new Room();
    this.#byName.set(name, room);
    return room;
  }

  /** Does nothing for a leg that is in no room. */
  leave(leg: Leg): void {
    const { room } = leg;
    if (!room) return;
    room.leave(leg);
    leg.room = null;
    leg.lastActiveMs = performance.now();
    if (room.size > 0) return;
    for (const [name, open] of this.#byName) if (open === room) this.#byName.delete(name);
  }

  /** Every 20 ms, before the legs. */
  tick(): void {
    for (const room of this.#byName.values()) room.tick();
  }
}
