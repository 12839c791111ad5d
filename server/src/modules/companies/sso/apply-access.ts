import { roleRank, type CompanyRole } from '#contract';
import { companyUserChanged } from '#contract/companies/events';
import { ownershipTransferChanged, userAccessEnded } from '#contract/companies/users/events';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { markOwnIdentityUsed, type OwnIdentityRow } from '../../identity/index.ts';
import { auditIn, publishPermissions } from '../organizations/in-organization.ts';
import { hasSeat } from '../plan/plan.ts';
import { insertMembership } from '../store.ts';
import { setMemberNumbers } from '../store-members.ts';
import { deleteTransfer, lockMembers, setMemberRole } from '../users/store.ts';
import { accessRules, type AccessRule } from './store-sign-in.ts';

type Given = Record<string, CompanyRole>;
interface Wanted {
  role: CompanyRole;
  numberIds: readonly number[];
}

/**
 * What a person's groups give them in one company: the highest role, with the numbers of all rules
 * that give it. Null: no rule is about them.
 * @param groups null: what everyone gets who is new
 */
export function accessOf(
  rules: readonly AccessRule[],
  groups: ReadonlySet<string> | null,
): Wanted | null {
  const mine = rules.filter(({ group_name: group }) =>
    groups ? group !== null && groups.has(group) : group === null,
  );
  const highest = Math.max(...mine.map(({ role }) => roleRank[role]));
  const best = mine.filter(({ role }) => roleRank[role] === highest);
  const [first] = best;
  if (!first) return null;
  const seesAll = best.some(({ number_ids: ids }) => ids.length === 0);
  return { role: first.role, numberIds: seesAll ? [] : best.flatMap((r) => r.number_ids) };
}

/**
 * Gives a person what their groups say in each company of the organization, and takes back what
 * groups gave that they have left. Owners stay what they are, and so does whoever an administrator
 * has deactivated. A company whose plan has no seat left is skipped.
 */
export async function applyAccess(
  ctx: Ctx,
  tx: Tx,
  identity: OwnIdentityRow,
  groups: readonly string[],
): Promise<void> {
  const given = await applyRules(ctx, tx, identity, groups);
  await markOwnIdentityUsed(tx, identity, {
    last_used_at: ctx.now,
    given: JSON.stringify(given),
  });
}

/** The same for who is known otherwise; returns what the groups have given by now, by company. */
export async function applyRules(
  ctx: Ctx,
  tx: Tx,
  identity: Pick<OwnIdentityRow, 'organization_id' | 'person_id' | 'given'>,
  groups: readonly string[],
): Promise<Given> {
  const rules = await accessRules(tx, identity.organization_id);
  const before = identity.given as Given;
  const given: Given = {};
  const companyIds = new Set([
    ...rules.map(({ company_id: id }) => id),
    ...Object.keys(before).map(Number),
  ]);
  let hasChanged = false;
  for (const companyId of [...companyIds].toSorted((a, b) => a - b)) {
    const of = rules.filter(({ company_id: id }) => id === companyId);
    const last = before[companyId] ?? null;
    const byGroup = accessOf(of, new Set(groups));
    const byDefault = accessOf(of, null);
    const change = { companyId, userId: identity.person_id, last };
    const outcome = await settle(ctx, tx, change, byGroup, byDefault);
    if (outcome.given) given[companyId] = outcome.given;
    hasChanged ||= outcome.hasChanged;
  }
  if (hasChanged) await publishPermissions(tx, [identity.person_id]);
  return given;
}

/** What one company now holds of the person: what groups gave there, and whether anything changed. */
async function settle(
  ctx: Ctx,
  tx: Tx,
  { companyId, userId, last }: { companyId: number; userId: number; last: CompanyRole | null },
  byGroup: Wanted | null,
  byDefault: Wanted | null,
): Promise<{ given: CompanyRole | null; hasChanged: boolean }> {
  const [member] = await lockMembers(tx, companyId, [userId]);
  if (member?.role === 'owner') return { given: null, hasChanged: false };
  // By hand, not because they left a group.
  if (member?.role === 'deactivated' && last !== 'deactivated')
    return { given: last, hasChanged: false };
  // Roles given by hand stay: what everyone gets is for those who are new, or whom a group has left.
  const wanted = byGroup ?? (member && last === null ? null : byDefault);
  if (!wanted) {
    if (!member || last === null || member.role === 'deactivated')
      return { given: last, hasChanged: false };
    await changeRole(ctx, tx, companyId, userId, 'deactivated');
    await auditIn(ctx, tx, companyId, 'user.deactivated', `user:${userId}`, {
      before: { role: member.role },
      after: { because: 'single sign-on' },
    });
    await publishIn(tx, userAccessEnded, { companyId, userId }, { companyId });
    await publishIn(tx, companyUserChanged, { companyId, userId }, { companyId });
    return { given: 'deactivated', hasChanged: true };
  }
  const given = byGroup ? byGroup.role : null;
  const isSame =
    member?.role === wanted.role &&
    member.number_ids.length === wanted.numberIds.length &&
    wanted.numberIds.every((id) => member.number_ids.includes(id));
  if (isSame) return { given, hasChanged: false };
  const joins = !member || member.role === 'deactivated';
  if (joins && !(await hasSeat(tx, companyId, { now: ctx.now, isInvitation: false })))
    return { given: member ? last : null, hasChanged: false };
  if (!member)
    await insertMembership(tx, {
      company_id: companyId,
      user_id: userId,
      role: wanted.role,
      number_ids: [...wanted.numberIds],
    });
  else {
    await changeRole(ctx, tx, companyId, userId, wanted.role);
    await setMemberNumbers(tx, companyId, userId, wanted.numberIds);
  }
  await auditIn(ctx, tx, companyId, 'sso.access_given', `user:${userId}`, {
    before: member ? { role: member.role, number_ids: member.number_ids } : null,
    after: { role: wanted.role, number_ids: wanted.numberIds },
  });
  await publishIn(tx, companyUserChanged, { companyId, userId }, { companyId });
  return { given, hasChanged: true };
}

/** Sets a member's role. Who is no administrator any more isn't to become the owner either. */
async function changeRole(
  ctx: Ctx,
  tx: Tx,
  companyId: number,
  userId: number,
  role: CompanyRole,
): Promise<void> {
  await setMemberRole(tx, companyId, userId, role, ctx.now);
  if (role === 'administrator' || !(await deleteTransfer(tx, companyId, userId))) return;
  await auditIn(ctx, tx, companyId, 'ownership_transfer.canceled', `user:${userId}`);
  const change = { companyId, change: 'canceled' as const };
  await publishIn(tx, ownershipTransferChanged, change, { companyId });
}
