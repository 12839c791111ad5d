import type { EventData, numbers } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { poolLimits } from '#contract/tracking/pool-rules';
import { joinPool, leavePool } from '../../numbers/index.ts';
import { publishPoolChanged } from './publish-pool-changed.ts';
import { allPools, readPool, type PoolRecord } from './store.ts';
import { deleteSlot, insertSlot, replaceSlot, slotsOf } from './store-slots.ts';
import { routeNumbersJob } from '../job-kinds.ts';

/**
 * Moves numbers into a pool; a job then gives them the pool's routing. Fails with 404,
 * `number.in_pool`, or 422 at `field`.
 */
export async function addNumbers(
  ctx: TxCtx,
  pool: PoolRecord,
  numberIds: readonly number[],
  field: string,
): Promise<void> {
  const ids = [...new Set(numberIds)];
  if (!ids.length) return;
  const had = await slotsOf(ctx.tx, ctx.companyId, [pool.id], null, ctx.now);
  const more = ids.filter((id) => had.every((slot) => slot.number_id !== id));
  if (had.length + more.length > poolLimits.numbers)
    invalid({ [field]: `A pool can have up to ${poolLimits.numbers} numbers.` });
  const defaults = new Set([
    pool.default_number_id,
    ...(await allPools(ctx.tx, ctx.companyId)).map((one) => one.default_number_id),
  ]);
  if (more.some((id) => defaults.has(id)))
    invalid({ [field]: 'A pool’s default number can’t be in a pool itself.' });
  // In one order, so that two changes can't wait for each other.
  for (const id of more.toSorted((a, b) => a - b)) {
    const { number } = await joinPool(ctx, id, pool, field);
    await insertSlot(ctx.tx, ctx.companyId, pool.id, { id, number }, ctx.now);
  }
  if (more.length) await routeNumbers(ctx, pool.id, more);
}

/** Takes numbers out of a pool: they end their leases and become ordinary numbers. */
export async function removeNumbers(
  ctx: TxCtx,
  pool: PoolRecord,
  numberIds: readonly number[],
): Promise<void> {
  for (const id of numberIds.toSorted((a, b) => a - b)) {
    await leavePool(ctx, id, pool);
    await deleteSlot(ctx.tx, ctx.companyId, id, ctx.now);
  }
}

/** Queues the job that gives numbers the routing of their pool. */
export const routeNumbers = (ctx: TxCtx, poolId: number, numberIds: readonly number[]) =>
  ctx.enqueue(routeNumbersJob, { poolId, numberIds: [...numberIds] });

/**
 * A number that was bought for a pool joins it. If the pool was deleted meanwhile or is full, the
 * number stays an ordinary one.
 */
export async function addBoughtNumber(
  ctx: TxCtx,
  { numberId, poolId }: EventData<typeof numbers.numberPurchased>,
): Promise<void> {
  const pool = poolId
    ? await readPool(ctx.tx, ctx.companyId, poolId, null, { lock: true })
    : undefined;
  if (!pool || pool.default_number_id === numberId) return;
  const slots = await slotsOf(ctx.tx, ctx.companyId, [pool.id], null, ctx.now);
  if (slots.length >= poolLimits.numbers) return;
  await addNumbers(ctx, pool, [numberId], 'numbers');
  await publishPoolChanged(ctx, pool.id);
}

/** A number that replaces another takes its place in the pool; the old one's leases end. */
export async function replaceRotatedNumber(
  ctx: TxCtx,
  { numberId, newNumberId, newNumber }: EventData<typeof numbers.numberRotated>,
): Promise<void> {
  const poolId = await replaceSlot(
    ctx.tx,
    ctx.companyId,
    numberId,
    { id: newNumberId, number: newNumber },
    ctx.now,
  );
  if (poolId !== null) await publishPoolChanged(ctx, poolId);
}
