import { events } from './generated/events.ts';
import type { EventKind } from './kit.ts';

const subjects: readonly Record<string, EventKind>[] = events;

/** Every event by its name, without its schema: a client subscribes to all of them. */
export const eventByName: ReadonlyMap<string, EventKind> = new Map(
  subjects.flatMap((kinds) => Object.values(kinds)).map((event) => [event.name, event]),
);
