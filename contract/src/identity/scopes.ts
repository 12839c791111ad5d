import type { AnyEndpoint } from '../kit.ts';
import type { PermissionKey } from '../permissions.ts';

/** What a token of a program may be limited to (A3). It never exceeds its person's role. */
export const scopes = [
  'read',
  'write',
  'messages:send',
  'calls:place',
  'billing:read',
  'admin',
] as const;
export type Scope = (typeof scopes)[number];

/** The scope that a write under each of these permissions needs; null: no token may do it. */
const scopeOfWrite: Partial<Record<PermissionKey, Scope | null>> = {
  'inbox.send': 'messages:send',
  'campaigns.send': 'messages:send',
  'campaigns.approve': 'messages:send',
  'calling.use': 'calls:place',
  'calls.monitor': 'calls:place',
  // Paying needs the person.
  'billing.pay': null,
  'billing.plan': null,
  'billingContacts.edit': null,
  'ownership.transfer': null,
  // Outside of the company that a token belongs to.
  'company.create': null,
  'organization.create': null,
  // A token that made tokens would outlive its own revocation.
  'apiKeys.own': null,
  // Takes records out, like a read, though it is sent as a POST.
  'exports.make': 'read',
};

const billing: ReadonlySet<string> = new Set([
  'billing.view',
  'billing.pay',
  'billing.plan',
  'billingContacts.view',
  'billingContacts.edit',
] satisfies PermissionKey[]);

const administration: ReadonlySet<string> = new Set([
  'company.edit',
  'company.brand',
  'company.delete',
  'users.edit',
  'users.assignOwner',
  'users.assignAdministrator',
  'integrations.edit',
  'settings.edit',
  'features.edit',
  'organization.edit',
  'audit.view',
  'company.export',
  'person.erase',
] satisfies PermissionKey[]);

/** What a beam token is limited to. No key or program can have it. */
export const BEAM_SCOPE = 'push:register';
const registersDevices = ({ method, path }: ScopedEndpoint): boolean =>
  method !== 'GET' && /^\/(web-push\/subscriptions|apns-voip-device-tokens)$/.test(path);

/** How a person signs in and which programs act for them: never managed by such a program. */
const isOfSignIn = (path: string): boolean =>
  /^\/(sanctum|mfa|passkeys|oauth|password|personalAccessTokens|remoteLogin|user\/)/.test(path);

type ScopedEndpoint = Pick<AnyEndpoint, 'method' | 'path' | 'permission'> & {
  reads?: boolean;
  /** A list, also when its filters are sent in a body. */
  paged?: boolean;
};

/** The scope that a token needs for an endpoint; null: no token may call it, whatever its scopes. */
export function requiredScope(e: ScopedEndpoint): Scope | null {
  const { permission } = e;
  if (isOfSignIn(e.path)) return null;
  if (administration.has(permission)) return 'admin';
  const isRead = e.method === 'GET' || Boolean(e.reads) || Boolean(e.paged);
  if (isRead) return billing.has(permission) ? 'billing:read' : 'read';
  // A person's own affairs, such as their devices.
  if (permission === 'public' || permission === 'session') return null;
  const scope = scopeOfWrite[permission];
  return scope === undefined ? 'write' : scope;
}

/** Whether a token with these scopes may call an endpoint, as far as its person's role allows. */
export function scopeAllows(granted: readonly string[], e: ScopedEndpoint): boolean {
  if (granted.includes(BEAM_SCOPE)) return registersDevices(e);
  const scope = requiredScope(e);
  return scope !== null && granted.includes(scope);
}
