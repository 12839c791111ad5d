import {
  companies as contract,
  roleRank,
  type Answer,
  type Body,
  type EffectiveRole,
} from '#contract';
import { entityOf } from '#contract/fields/rules';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { setValues } from '../fields/index.ts';
import { getCompanyUser } from './read.ts';

/** Changes a user's custom values. Fails with `user.above_you` for a higher role (A4 rule 2). */
export async function updateCompanyUser(
  ctx: TxCtx,
  userId: number,
  body: Body<typeof contract.updateCompanyUser>,
): Promise<Answer<typeof contract.updateCompanyUser>> {
  const { data: person } = await getCompanyUser(ctx, userId);
  if (roleRank[person.role as EffectiveRole] > roleRank[ctx.role]) fail('user.above_you');
  const changes = await setValues(ctx, entityOf.user, userId, body.eavAttributeValues, {
    at: 'eavAttributeValues',
  });
  if (!changes.length) return { data: person };
  await audit(ctx, 'user.updated', `user:${userId}`, {
    before: Object.fromEntries(changes.map((c) => [c.field.key, c.before])),
    after: Object.fromEntries(changes.map((c) => [c.field.key, c.after])),
  });
  await ctx.publish(contract.companyUserChanged, { companyId: ctx.companyId, userId });
  return getCompanyUser(ctx, userId);
}
