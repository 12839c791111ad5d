import type { PermissionKey } from '#contract';
import { grantIn } from '../../platform/access.ts';
import type { Ctx } from '../../platform/context.ts';
import { accessOfPerson } from './person-access.ts';

/**
 * The numbers a person may still see of those a job was started with, since the job can run long
 * after their access changed. `stored` null: all numbers at the time. Returns null for all numbers,
 * and none without the permission or access to the company.
 */
export async function numbersStillVisible(
  ctx: Pick<Ctx, 'db' | 'companyId'>,
  personId: number | null,
  permission: PermissionKey,
  stored: readonly number[] | null,
): Promise<readonly number[] | null> {
  if (personId === null) return stored;
  const access = await accessOfPerson(ctx.db, ctx.companyId, personId);
  const grant = grantIn(access, permission);
  if (!access || grant === 'none') return [];
  const isLimited = grant === 'assigned' && access.numberIds.length > 0;
  if (!isLimited) return stored;
  return stored ? stored.filter((id) => access.numberIds.includes(id)) : access.numberIds;
}
