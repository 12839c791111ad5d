import type { AnyEndpoint, EventKind } from './kit.ts';
import * as identity from './identity.ts';
import * as companies from './companies.ts';

/** Every module's contract by its name on the list. One line per module. */
export const contracts = { identity, companies } as const;

const isEndpoint = (v: unknown): v is AnyEndpoint => typeof v === 'object' && v !== null && 'method' in v && 'path' in v && 'permission' in v;
const isEvent = (v: unknown): v is EventKind => typeof v === 'object' && v !== null && 'touches' in v && 'channel' in v;

export const endpoints: readonly AnyEndpoint[] = Object.entries(contracts).flatMap(([module, c]) => Object.values(c).filter(isEndpoint).map((e) => ({ ...e, module })));
export const events: readonly EventKind[] = Object.values(contracts).flatMap((c) => Object.values(c).filter(isEvent));
export const endpointNamed = new Map(endpoints.map((e) => [e.name, e]));
export const eventNamed = new Map(events.map((e) => [e.name, e]));
export * as identity from './identity.ts';
export * as companies from './companies.ts';
