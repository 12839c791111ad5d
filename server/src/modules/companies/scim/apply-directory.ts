import { userAccessEnded } from '#contract/companies/users/events';
import { companyUserChanged } from '#contract/companies/events';
import type { CompanyRole } from '#contract';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { auditIn, publishPermissions } from '../organizations/in-organization.ts';
import { createSipCredentials, personById } from '../../identity/index.ts';
import { removeAdministrator } from '../organizations/store.ts';
import { hasSeat } from '../plan/plan.ts';
import { applyRules } from '../sso/apply-access.ts';
import { placeIn } from '../sso/store-sign-in.ts';
import { insertOrganizationAdmin } from '../store.ts';
import { setMemberRole } from '../users/store.ts';
import { ScimError } from './messages.ts';
import { groupsOfUser, patchScimUser, placesIn, scimUser, type ScimUserRow } from './store.ts';

interface Taken {
  roles?: Record<string, CompanyRole>;
  admin?: boolean;
}

/** Gives an active user what the groups of the directory say, by the rules of single sign-on. */
export async function applyGroups(ctx: Ctx, tx: Tx, userId: string): Promise<void> {
  const user = await scimUser(tx, ctx.organizationId, userId);
  if (!user?.active) return;
  const given = await applyRules(
    ctx,
    tx,
    {
      organization_id: user.organization_id,
      person_id: user.person_id,
      given: user.given,
    },
    await groupsOfUser(tx, ctx.organizationId, userId),
  );
  await patchScimUser(tx, user, { given: JSON.stringify(given) });
}

/**
 * Takes a user's access to every company of the organization, and to the organization, at once. Their
 * sessions end when nothing else is theirs. Owners stay: a directory can't leave a company without one.
 */
export async function deactivate(ctx: Ctx, tx: Tx, user: ScimUserRow): Promise<void> {
  if (!user.active) return;
  const { organizationId } = ctx;
  const { person_id: userId } = user;
  if ((await placeIn(tx, organizationId, userId)).isOwner)
    throw new ScimError(
      409,
      'This person owns the organization or one of its companies. Transfer the ownership first.',
      'mutability',
    );
  const roles: Record<string, CompanyRole> = {};
  for (const { company_id: companyId, role } of await placesIn(tx, organizationId, userId)) {
    if (role === 'deactivated') continue;
    roles[companyId] = role;
    await setMemberRole(tx, companyId, userId, 'deactivated', ctx.now);
    await auditIn(ctx, tx, companyId, 'user.deactivated', `user:${userId}`, { before: { role } });
    await publishIn(tx, userAccessEnded, { companyId, userId }, { companyId });
    await publishIn(tx, companyUserChanged, { companyId, userId }, { companyId });
  }
  const admin = await removeAdministrator(tx, organizationId, userId);
  const taken: Taken = { roles, admin };
  await patchScimUser(tx, user, {
    active: false,
    taken: JSON.stringify(taken),
    updated_at: ctx.now,
  });
  await publishPermissions(tx, [userId]);
}

/** Gives back what the deactivation took, where the plan has a seat, and what the groups say now. */
export async function reactivate(ctx: Ctx, tx: Tx, user: ScimUserRow): Promise<void> {
  if (user.active) return;
  const { organizationId } = ctx;
  const { person_id: userId } = user;
  const taken = user.taken as Taken;
  for (const { company_id: companyId, role } of await placesIn(tx, organizationId, userId)) {
    const before = taken.roles?.[companyId];
    // By hand, before the directory did, or given another role since.
    if (!before || role !== 'deactivated') continue;
    if (!(await hasSeat(tx, companyId, { now: ctx.now, isInvitation: false }))) continue;
    await setMemberRole(tx, companyId, userId, before, ctx.now);
    await auditIn(ctx, tx, companyId, 'user.activated', `user:${userId}`, {
      after: { role: before },
    });
    await publishIn(tx, companyUserChanged, { companyId, userId }, { companyId });
  }
  if (taken.admin)
    await insertOrganizationAdmin(tx, { organization_id: organizationId, user_id: userId });
  const person = await personById(tx, userId);
  // They ended with the last access; a phone needs the new password.
  if (person && !person.sip_user)
    await createSipCredentials(
      tx,
      ctx.settings.appSecrets,
      person,
      new URL(ctx.settings.publicUrl).hostname,
    );
  await patchScimUser(tx, user, { active: true, taken: '{}', updated_at: ctx.now });
  await applyGroups(ctx, tx, user.id);
  await publishPermissions(tx, [userId]);
}
