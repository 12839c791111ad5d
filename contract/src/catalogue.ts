import type { AnyEndpoint, EventKind } from './kit.ts';
import type { AnyOperation, Shape } from './operation.ts';
import * as identity from './identity/index.ts';
import * as mfa from './identity/mfa/index.ts';
import * as passkeys from './identity/passkeys/index.ts';
import * as externalSignIn from './identity/external/index.ts';
import * as oauthProvider from './identity/oauth/index.ts';
import * as accessTokens from './identity/keys/index.ts';
import * as files from './files/index.ts';
import * as companies from './companies/index.ts';
import * as users from './companies/users/index.ts';
import * as invitations from './companies/invitations/index.ts';
import * as organizations from './companies/organizations/index.ts';
import * as adminMode from './companies/admin-mode/index.ts';
import * as settings from './settings/index.ts';
import * as features from './settings/features/index.ts';
import * as tenant from './settings/tenant/index.ts';
import * as support from './settings/support/index.ts';
import * as audit from './settings/audit/index.ts';
import * as fields from './fields/index.ts';
import * as presets from './fields/presets/index.ts';
import * as connections from './connections/index.ts';
import * as contacts from './contacts/index.ts';
import * as groups from './contacts/groups/index.ts';
import * as importing from './contacts/importing/index.ts';
import * as compliance from './compliance/index.ts';
import * as registration from './compliance/registration/index.ts';
import * as numbers from './numbers/index.ts';
import * as templates from './numbers/templates/index.ts';
import * as forwarding from './numbers/forwarding/index.ts';
import * as triggers from './numbers/triggers/index.ts';
import * as carriers from './numbers/carriers/index.ts';
import * as porting from './porting/index.ts';
import * as marketplace from './marketplace/index.ts';
import * as routing from './routing/index.ts';
import * as schedules from './routing/schedules/index.ts';
import * as greetings from './routing/greetings/index.ts';
import * as flows from './routing/flows/index.ts';
import * as tracking from './tracking/index.ts';
import * as calls from './calls/index.ts';
import * as callcare from './calls/callcare/index.ts';
import * as live from './calls/live/index.ts';
import * as conversations from './conversations/index.ts';
import * as timeline from './conversations/timeline/index.ts';
import * as fax from './fax/index.ts';
import * as teamwork from './conversations/teamwork/index.ts';
import * as exporting from './conversations/exporting/index.ts';
import * as campaigns from './campaigns/index.ts';
import * as notifications from './notifications/index.ts';
import * as analytics from './analytics/index.ts';
import * as archive from './archive/index.ts';

/** Every module of the API by its name, in the order of the OpenAPI document. */
export const contracts = {
  identity,
  mfa,
  passkeys,
  externalSignIn,
  oauthProvider,
  accessTokens,
  files,
  companies,
  users,
  invitations,
  organizations,
  adminMode,
  settings,
  features,
  tenant,
  support,
  audit,
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
  tracking,
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
  archive,
} as const;

/** An endpoint with its operation and its module; the server dispatches requests by this list. */
export type DescribedEndpoint = AnyEndpoint & AnyOperation & { readonly module: string };
/** An event with the schema of its data. */
type DescribedEvent = EventKind & { readonly data: Shape };

/**
 * A module as plain records: comparing the types of all endpoints with one another takes the
 * compiler minutes.
 */
interface Subject {
  operations?: Record<string, AnyOperation>;
  payloads?: Record<string, Shape>;
  [name: string]: unknown;
}
const subjects: [name: string, subject: Subject][] = Object.entries(
  contracts as Record<string, object>,
).map(([name, subject]) => [name, subject as Subject]);

/** Every endpoint with its operation. Throws at start when an operation has no endpoint. */
export const endpoints: readonly DescribedEndpoint[] = subjects.flatMap(([module, subject]) =>
  Object.entries(subject.operations ?? {}).map(([name, operation]) => {
    const endpoint = subject[name] as AnyEndpoint | undefined;
    if (!endpoint) throw new Error(`${module}.operations.${name} has no endpoint`);
    return { ...operation, ...endpoint, module };
  }),
);
/** Every event with the schema of its data. Throws at start when a schema has no event. */
export const events: readonly DescribedEvent[] = subjects.flatMap(([module, subject]) =>
  Object.entries(subject.payloads ?? {}).map(([name, data]) => {
    const event = subject[name] as EventKind | undefined;
    if (!event) throw new Error(`${module}.payloads.${name} has no event`);
    return { ...event, data };
  }),
);
export const endpointByName = new Map(endpoints.map((e) => [e.name, e]));
