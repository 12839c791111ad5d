import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { releaseOrRestore } from '../../numbers/index.ts';
import { removeNumbers } from './change-members.ts';
import { publishPoolChanged } from './publish-pool-changed.ts';
import { lockPools, readPool, updatePoolRow } from './store.ts';
import { liveLeases, slotsOf } from './store-slots.ts';

/**
 * Deletes a pool: its leases end at once, its numbers are released or become ordinary ones. The row
 * stays, because calls are matched with its leases. Fails with 404, or `pool.confirm_delete` while
 * visitors are seeing its numbers.
 */
export async function deletePool(
  ctx: TxCtx,
  id: number,
  { shouldDeleteNumbers, confirm }: { shouldDeleteNumbers: boolean; confirm: boolean },
): Promise<void> {
  if (shouldDeleteNumbers && ctx.may('numbers.buy') === 'none') fail('role.forbidden');
  await lockPools(ctx.tx, ctx.companyId);
  const pool =
    (await readPool(ctx.tx, ctx.companyId, id, ctx.numbers, { lock: true })) ?? notFound();
  const live = await liveLeases(ctx.tx, ctx.companyId, id, ctx.now);
  if (live > 0 && !confirm) fail('pool.confirm_delete', { n: live }, { live });
  const slots = await slotsOf(ctx.tx, ctx.companyId, [id], null, ctx.now);
  const numberIds = slots.map(({ number_id }) => number_id);
  await removeNumbers(ctx, pool, numberIds);
  if (shouldDeleteNumbers)
    for (const numberId of numberIds)
      await releaseOrRestore(ctx, numberId, {
        undo: false,
        reason: `Tracking pool “${pool.name}”`,
      });
  await updatePoolRow(ctx.tx, ctx.companyId, id, {
    deleted_at: ctx.now,
    default_number_id: null,
    updated_at: ctx.now,
  });
  await audit(ctx, 'tracking_pool.deleted', `tracking_pool:${id}`, {
    before: { name: pool.name, numbers: slots.map(({ number }) => number) },
    after: { shouldDeleteNumbers },
  });
  await publishPoolChanged(ctx, id, { deleted: true });
}
