import type { EventKind } from './kit.ts';
import * as identity from './identity/events.ts';
import * as mfa from './identity/mfa/events.ts';
import * as passkeys from './identity/passkeys/events.ts';
import * as externalSignIn from './identity/external/events.ts';
import * as oauthProvider from './identity/oauth/events.ts';
import * as accessTokens from './identity/keys/events.ts';
import * as companies from './companies/events.ts';
import * as users from './companies/users/events.ts';
import * as invitations from './companies/invitations/events.ts';
import * as organizations from './companies/organizations/events.ts';
import * as settings from './settings/events.ts';
import * as features from './settings/features/events.ts';
import * as tenant from './settings/tenant/events.ts';
import * as support from './settings/support/events.ts';
import * as audit from './settings/audit/events.ts';
import * as fields from './fields/events.ts';
import * as presets from './fields/presets/events.ts';
import * as contacts from './contacts/events.ts';
import * as groups from './contacts/groups/events.ts';
import * as importing from './contacts/importing/events.ts';
import * as connections from './connections/events.ts';
import * as compliance from './compliance/events.ts';
import * as registration from './compliance/registration/events.ts';
import * as numbers from './numbers/events.ts';
import * as templates from './numbers/templates/events.ts';
import * as forwarding from './numbers/forwarding/events.ts';
import * as triggers from './numbers/triggers/events.ts';
import * as carriers from './numbers/carriers/events.ts';
import * as porting from './porting/events.ts';
import * as marketplace from './marketplace/events.ts';
import * as tracking from './tracking/events.ts';
import * as routing from './routing/events.ts';
import * as schedules from './routing/schedules/events.ts';
import * as greetings from './routing/greetings/events.ts';
import * as flows from './routing/flows/events.ts';
import * as calls from './calls/events.ts';
import * as live from './calls/live/events.ts';
import * as conversations from './conversations/events.ts';
import * as fax from './fax/events.ts';
import * as teamwork from './conversations/teamwork/events.ts';
import * as exporting from './conversations/exporting/events.ts';
import * as campaigns from './campaigns/events.ts';
import * as notifications from './notifications/events.ts';
import * as archive from './archive/events.ts';

const modules: Record<string, EventKind>[] = [
  identity,
  mfa,
  passkeys,
  externalSignIn,
  oauthProvider,
  accessTokens,
  companies,
  users,
  invitations,
  organizations,
  settings,
  features,
  tenant,
  support,
  audit,
  fields,
  presets,
  contacts,
  groups,
  importing,
  connections,
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
  tracking,
  schedules,
  greetings,
  flows,
  calls,
  live,
  conversations,
  fax,
  teamwork,
  exporting,
  campaigns,
  notifications,
  archive,
];

/** Every event by its name, without its schema: a client subscribes to all of them. */
export const eventByName: ReadonlyMap<string, EventKind> = new Map(
  modules.flatMap((events) => Object.values(events)).map((event) => [event.name, event]),
);
