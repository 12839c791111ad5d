import type { AnyEndpoint, EventKind } from './kit.ts';
import * as identity from './identity.ts';
import * as files from './files.ts';
import * as companies from './companies.ts';
import * as fields from './fields.ts';
import * as presets from './presets.ts';
import * as connections from './connections/endpoints.ts';
import * as contacts from './contacts.ts';
import * as groups from './groups.ts';
import * as importing from './importing.ts';
import * as compliance from './compliance.ts';
import * as registration from './registration.ts';
import * as numbers from './numbers.ts';
import * as templates from './templates.ts';
import * as forwarding from './forwarding.ts';
import * as triggers from './triggers.ts';
import * as carriers from './carriers.ts';
import * as porting from './porting.ts';
import * as marketplace from './marketplace.ts';
import * as routing from './routing.ts';
import * as schedules from './schedules.ts';
import * as greetings from './greetings.ts';
import * as flows from './flows.ts';
import * as calls from './calls.ts';
import * as callcare from './callcare.ts';
import * as live from './live.ts';
import * as conversations from './conversations.ts';
import * as timeline from './timeline.ts';
import * as fax from './fax.ts';
import * as teamwork from './teamwork.ts';
import * as exporting from './exporting.ts';
import * as campaigns from './campaigns.ts';
import * as notifications from './notifications.ts';
import * as analytics from './analytics.ts';

/** Every contract file by its name, in the order of the list. A module with much to say has one file per subject. */
export const contracts = {
  identity,
  files,
  companies,
  fields,
  presets,
  connections,
  contacts,
  groups,
  importing,
  compliance,
  registration,
  numbers,
  templates,
  forwarding,
  triggers,
  carriers,
  porting,
  marketplace,
  routing,
  schedules,
  greetings,
  flows,
  calls,
  callcare,
  live,
  conversations,
  timeline,
  fax,
  teamwork,
  exporting,
  campaigns,
  notifications,
  analytics,
} as const;

const isEndpoint = (v: unknown): v is AnyEndpoint =>
  typeof v === 'object' && v !== null && 'method' in v && 'path' in v && 'permission' in v;
const isEvent = (v: unknown): v is EventKind =>
  typeof v === 'object' && v !== null && 'touches' in v && 'channel' in v;

/** Looked at as unknown things on purpose: comparing the types of all endpoints with one another takes the compiler minutes. */
const said: [file: string, things: unknown[]][] = Object.entries(
  contracts as Record<string, object>,
).map(([file, things]) => [file, Object.values(things)]);

export const endpoints: readonly AnyEndpoint[] = said.flatMap(([module, things]) =>
  things.filter(isEndpoint).map((e) => ({ ...e, module })),
);
export const events: readonly EventKind[] = said.flatMap(([, things]) => things.filter(isEvent));
export const endpointByName = new Map(endpoints.map((e) => [e.name, e]));
export const eventByName = new Map(events.map((e) => [e.name, e]));
