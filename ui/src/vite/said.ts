import type { EventKind } from '#contract/kit';

/** In browser bundles every event of the contract enters itself here (see contract-for-browsers.ts). */
export const eventNamed = new Map<string, EventKind>();
export function said<K extends EventKind>(kind: K): K {
  eventNamed.set(kind.name, kind);
  return kind;
}
