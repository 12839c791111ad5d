import { companies as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { placesOf } from '../store-members.ts';

// The system role: runs before a company is chosen, or creates one.

/** Subscriber: the companies of a person whose second factors changed show it in their lists. */
export async function showFactorsToCompanies(
  ctx: Ctx,
  { userId }: { userId: number },
): Promise<void> {
  for (const { company_id: companyId } of await placesOf(ctx.db.unscoped, userId))
    await ctx
      .actingIn(companyId, ['platform'])
      .transaction((t) => t.publish(contract.companyUserChanged, { companyId, userId }));
}
