import { companies as contract, roleRank, type EffectiveRole } from '#contract';
import { grantIn } from '../../platform/access.ts';
import { audit } from '../../platform/audit.ts';
import type { Ctx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { resetFactors } from '../identity/index.ts';
import { getCompanyUser } from './read.ts';
import { placesOf } from './store-members.ts';

// The system role: runs before a company is chosen, or creates one.

/**
 * Removes the second factors of a person who lost them. Not of someone above the actor, here or in
 * another company of that person: factors guard all of them. Fails with `user.above_you`,
 * `mfa.other_company`, `confirmation.required`.
 */
export async function resetUserFactors(ctx: Ctx, userId: number): Promise<void> {
  const { data: person } = await ctx.transaction((t) => getCompanyUser(t, userId));
  if (roleRank[person.role as EffectiveRole] > roleRank[ctx.role]) fail('user.above_you');
  if (ctx.role !== 'platform' && !(await mayEditEverywhere(ctx, userId))) fail('mfa.other_company');
  await ctx.transaction(async (t) => {
    await audit(t, 'user.mfa_reset', `user:${userId}`, {
      before: { mfa_enabled: person.mfa_enabled },
      after: { mfa_enabled: false },
    });
    await t.publish(contract.companyUserChanged, { companyId: ctx.companyId, userId });
    // Last, in a transaction of its own: if it fails, nothing above is kept.
    await resetFactors(ctx, userId, ctx.actor.name);
  });
}

/** Whether the actor administers the person in every company that the person belongs to. */
async function mayEditEverywhere(ctx: Ctx, userId: number): Promise<boolean> {
  const places = await placesOf(ctx.db.unscoped, userId);
  return places.every(({ company_id, role }) => {
    const own = ctx.actor.memberships.find((m) => m.companyId === company_id);
    return (
      own !== undefined &&
      grantIn(own, 'users.edit') !== 'none' &&
      roleRank[role as EffectiveRole] <= roleRank[own.role]
    );
  });
}
