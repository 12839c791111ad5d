import { grantOf, type EffectiveRole, type PermissionKey } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import { currentAccess } from './users/store.ts';

/**
 * The numbers a person may still see of those a job was started with, since the job can run long
 * after their access changed. `stored` null: all numbers at the time. Returns null for all numbers,
 * and none without the permission or access to the company.
 */
export async function numbersStillVisible(
  ctx: Ctx,
  personId: number | null,
  permission: PermissionKey,
  stored: readonly number[] | null,
): Promise<readonly number[] | null> {
  if (personId === null) return stored;
  const access = await currentAccess(ctx.db.unscoped, ctx.companyId, personId);
  if (!access) return [];
  const role: EffectiveRole = access.role;
  const grant = grantOf(role, permission, access.switches);
  if (grant === 'none') return [];
  const isLimited = grant === 'assigned' && access.number_ids.length > 0;
  if (!isLimited) return stored;
  return stored ? stored.filter((id) => access.number_ids.includes(id)) : access.number_ids;
}
