import { users as contract, companies as companyContract, type CompanyRole } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { createSipCredentials, endPersonAccess, personById } from '../../identity/index.ts';
import { requireSeat } from '../plan/plan.ts';
import { numbersOf } from '../store.ts';
import { setMemberNumbers } from '../store-members.ts';
import { editProblem, roleProblem } from './rules.ts';
import {
  activeCompaniesOf,
  deleteMember,
  deleteTransfer,
  lockMembers,
  setMemberRole,
} from './store.ts';

// The system role: runs before a company is chosen, or creates one.

/** A member, locked, who may be edited. Fails with `not_found` and `user.above_you`. */
export async function lockEditable(ctx: TxCtx, userId: number) {
  const [member] = await lockMembers(ctx.tx, ctx.companyId, [userId]);
  if (!member) return notFound();
  const problem = editProblem(changeOf(ctx, member));
  return problem ? fail(problem) : member;
}
type Member = Awaited<ReturnType<typeof lockEditable>>;

const changeOf = (ctx: TxCtx, member: { user_id: number; role: CompanyRole }) => ({
  actorRoles: ctx.roles,
  targetRole: member.role,
  isSelf: member.user_id === ctx.actor.userId,
});

/**
 * Gives a locked member a role. `deactivated` ends their access at once; any other role of a
 * deactivated person restores it. Fails by the rules of A4, or with `plan.seats`. True: it changed.
 */
export async function giveRole(ctx: TxCtx, member: Member, role: CompanyRole): Promise<boolean> {
  const problem = roleProblem(changeOf(ctx, member), role);
  if (problem) fail(problem);
  if (role === member.role) return false;
  if (member.role === 'deactivated')
    await requireSeat(ctx.tx, ctx.companyId, { now: ctx.now, isInvitation: false });
  await setMemberRole(ctx.tx, ctx.companyId, member.user_id, role, ctx.now);
  if (role !== 'administrator') await dropTransferOf(ctx, member.user_id);
  if (role === 'deactivated') await publishAccessEnded(ctx, member.user_id);
  else if (member.role === 'deactivated') await restoreSip(ctx, member.user_id);
  return true;
}

/**
 * Sets the numbers a member may use; empty: all. `not_found` for a number of another company. True:
 * they changed.
 */
export async function limitTo(
  ctx: TxCtx,
  userId: number,
  before: readonly number[],
  wanted: readonly number[],
): Promise<boolean> {
  const numbers = [...new Set(wanted)];
  if (numbers.length === before.length && numbers.every((id) => before.includes(id))) return false;
  const known = new Set((await numbersOf(ctx.tx, ctx.companyId)).map((n) => n.id));
  // Numbers that were released stay assigned; only new ones must exist.
  if (numbers.some((id) => !known.has(id) && !before.includes(id))) notFound();
  await setMemberNumbers(ctx.tx, ctx.companyId, userId, numbers);
  return true;
}

/** Publishes that a person's role or numbers changed. (Their own sockets hear it from the database.) */
export async function publishAccess(ctx: TxCtx, userId: number): Promise<void> {
  await ctx.publish(companyContract.companyUserChanged, { companyId: ctx.companyId, userId });
}

/** Deactivates a member. Deactivating twice changes nothing. */
export async function deactivateUser(ctx: TxCtx, userId: number): Promise<void> {
  const member = await lockEditable(ctx, userId);
  if (!(await giveRole(ctx, member, 'deactivated'))) return;
  await audit(ctx, 'user.deactivated', `user:${userId}`, { before: { role: member.role } });
  await publishAccess(ctx, userId);
}

/** Activates a member with the role from before. Active ones stay as they are. */
export async function activateUser(ctx: TxCtx, userId: number): Promise<void> {
  const member = await lockEditable(ctx, userId);
  if (member.role !== 'deactivated') return;
  const role = member.previous_role ?? 'user';
  // Ownership may have moved since; it never comes back with an activation.
  await giveRole(ctx, member, role === 'owner' ? 'administrator' : role);
  await audit(ctx, 'user.activated', `user:${userId}`, { after: { role } });
  await publishAccess(ctx, userId);
}

/** Removes a member from the company. What they did there stays under their name. */
export async function removeUser(ctx: TxCtx, userId: number): Promise<void> {
  const member = await lockEditable(ctx, userId);
  if (userId === ctx.actor.userId) fail('user.own_role');
  if (member.role === 'owner') fail('owner.required');
  await dropTransferOf(ctx, userId);
  await deleteMember(ctx.tx, ctx.companyId, userId);
  await audit(ctx, 'user.removed', `user:${userId}`, { before: { role: member.role } });
  await publishAccessEnded(ctx, userId);
  await publishAccess(ctx, userId);
}

/** Subscriber: ends sessions and SIP credentials of a person to whom no company is left. */
export async function endAccessEverywhere(
  ctx: Ctx,
  { userId }: { companyId: number; userId: number },
): Promise<void> {
  const person = await personById(ctx.db.unscoped, userId);
  if (!person || person.is_staff) return;
  if ((await activeCompaniesOf(ctx.db.unscoped, userId)).length) return;
  await endPersonAccess(ctx, userId);
}

const publishAccessEnded = (ctx: TxCtx, userId: number) =>
  ctx.publish(contract.userAccessEnded, { companyId: ctx.companyId, userId });

async function dropTransferOf(ctx: TxCtx, userId: number): Promise<void> {
  if (!(await deleteTransfer(ctx.tx, ctx.companyId, userId))) return;
  await audit(ctx, 'ownership_transfer.canceled', `user:${userId}`);
  await ctx.publish(contract.ownershipTransferChanged, {
    companyId: ctx.companyId,
    change: 'canceled',
  });
}

/** Credentials that ended with the deactivation are made anew; a phone needs the new password. */
async function restoreSip(ctx: TxCtx, userId: number): Promise<void> {
  const person = await personById(ctx.db.unscoped, userId);
  if (!person || person.sip_user) return;
  const domain = new URL(ctx.settings.publicUrl).hostname;
  await ctx.db.systemTransaction((tx) =>
    createSipCredentials(tx, ctx.settings.appSecrets, person, domain),
  );
}
