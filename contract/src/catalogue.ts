import type { AnyEndpoint, EventKind } from './kit.ts';
import * as identity from './identity.ts';
import * as companies from './companies.ts';
import * as contacts from './contacts.ts';
import * as compliance from './compliance.ts';
import * as numbers from './numbers.ts';
import * as routing from './routing.ts';
import * as calls from './calls.ts';
import * as conversations from './conversations.ts';

/** Every module's contract by its name on the list. One line per module. */
export const contracts = { identity, companies, contacts, compliance, numbers, routing, calls, conversations } as const;

const isEndpoint = (v: unknown): v is AnyEndpoint => typeof v === 'object' && v !== null && 'method' in v && 'path' in v && 'permission' in v;
const isEvent = (v: unknown): v is EventKind => typeof v === 'object' && v !== null && 'touches' in v && 'channel' in v;

export const endpoints: readonly AnyEndpoint[] = Object.entries(contracts).flatMap(([module, c]) => Object.values(c).filter(isEndpoint).map((e) => ({ ...e, module })));
export const events: readonly EventKind[] = Object.values(contracts).flatMap((c) => Object.values(c).filter(isEvent));
export const endpointNamed = new Map(endpoints.map((e) => [e.name, e]));
export const eventNamed = new Map(events.map((e) => [e.name, e]));
