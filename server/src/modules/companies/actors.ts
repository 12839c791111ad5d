import { accessTokens } from '#contract';
import { accessIn } from '../../platform/access.ts';
import type { Actor } from '../../platform/context.ts';
import { fullName } from '../identity/index.ts';
import { mfaBlock } from './mfa-policy.ts';
import { keptOutBySso } from './sso/kept-out.ts';
import { networkBlock } from './session-policies.ts';
import { suspensionBlock } from './suspension/suspend.ts';
import type { KeyRow, PersonPlaces, SessionRow } from './store-session.ts';

/**
 * The companies of a person, each with what keeps them out.
 * @param ip where they act from; null: nowhere (a job), so that networks say nothing
 * @param keptOut the organization whose companies their session does not open
 */
export const membershipsOf = (
  { places, mfa_enabled_at }: PersonPlaces,
  ip: string | null,
  keptOut?: Actor['keptOut'],
): Actor['memberships'] =>
  places.map(({ isSuspended, organizationId, ...place }) =>
    accessIn({
      ...place,
      blockedBy:
        (keptOut && keptOut.organizationId === organizationId ? keptOut.by : undefined) ??
        suspensionBlock(isSuspended, place.roles) ??
        mfaBlock(place, mfa_enabled_at !== null) ??
        (ip === null ? undefined : networkBlock(place.switches, ip)),
    }),
  );

/** Who acts in a session. `wantsAdmin`: the request asks for admin mode. */
export function actorOfSession(row: SessionRow, wantsAdmin: boolean, ip: string): Actor {
  const { remote_company_id: remoteCompanyId, entry } = row;
  const isRemote = remoteCompanyId !== null;
  const adminMode = row.is_staff && row.admin_mode && wantsAdmin && entry !== null && !isRemote;
  // Whoever helps as another person has signed in as platform staff do.
  const keptOut = isRemote ? undefined : keptOutBySso(row);
  const memberships = membershipsOf(row, isRemote ? null : ip, keptOut);
  // Never undefined for one of these, so that it can't pass for a company's session.
  const accountId = row.kind === 'caddy' ? (memberships[0]?.companyId ?? 0) : undefined;
  return {
    kind: 'user',
    userId: row.person_id,
    name: fullName(row),
    email: row.email,
    sessionId: row.session_id,
    staff: row.is_staff && !isRemote,
    adminMode,
    ...(accountId !== undefined && { accountId }),
    ...(keptOut && { keptOut }),
    memberships: isRemote
      ? memberships.filter(({ companyId }) => companyId === remoteCompanyId)
      : memberships,
    ...(entry &&
      (adminMode || isRemote) && {
        admin: { ...entry, endsAt: new Date(entry.endsAt), isRemote },
      }),
    // Like a program: never sign-in, never what must be confirmed.
    ...(isRemote && { scopes: entry?.mayWrite ? ['read', 'write', 'admin'] : ['read'] }),
  };
}

/**
 * Who acts with an API key: its owner in its one company, within the owner's current role there.
 * Null: the owner is no longer in the company, or their role has no keys.
 */
export function actorOfKey(row: KeyRow, ip: string): Actor | null {
  const [membership] = membershipsOf(row, ip);
  const allowed = membership ? accessTokens.scopesForRole(membership.role) : [];
  if (!membership || !allowed.length) return null;
  return {
    kind: 'key',
    userId: row.person_id,
    name: fullName(row),
    email: row.email,
    sessionId: 0,
    staff: false,
    adminMode: false,
    memberships: [membership],
    scopes: row.scopes.filter((scope) => allowed.some((one) => one === scope)),
  };
}
