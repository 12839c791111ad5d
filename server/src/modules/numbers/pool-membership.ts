import { numbers as contract } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { fail, invalid, notFound } from '../../platform/errors.ts';
import { recordNumberEvent } from './timeline/record-event.ts';
import { lockNumber, updateNumberRow, type NumberRecord } from './store.ts';

interface Pool {
  id: number;
  name: string;
}

/**
 * Gives a number to a tracking pool. Fails with 404, `number.in_pool` when it is in another, or 422
 * at `field` when it can't take calls.
 */
export async function joinPool(
  ctx: TxCtx,
  numberId: number,
  pool: Pool,
  field: string,
): Promise<NumberRecord> {
  const row = (await lockNumber(ctx.tx, ctx.companyId, numberId, ctx.numbers)) ?? notFound();
  if (row.dni_pool_id !== null && row.dni_pool_id !== pool.id) fail('number.in_pool');
  if (row.status !== 'active') invalid({ [field]: 'Choose numbers that are in use.' });
  if (row.category === 3) invalid({ [field]: 'Fax numbers can’t be shown to callers.' });
  if (row.dni_pool_id === null) await setPool(ctx, row, pool, 'pool_joined');
  return row;
}

/** Takes a number out of a tracking pool; nothing happens if it isn't in this one. */
export async function leavePool(ctx: TxCtx, numberId: number, pool: Pool): Promise<void> {
  const row = await lockNumber(ctx.tx, ctx.companyId, numberId, null);
  if (row?.dni_pool_id === pool.id) await setPool(ctx, row, pool, 'pool_left');
}

async function setPool(
  ctx: TxCtx,
  row: NumberRecord,
  pool: Pool,
  type: 'pool_joined' | 'pool_left',
): Promise<void> {
  const joins = type === 'pool_joined';
  await updateNumberRow(ctx.tx, ctx.companyId, row.id, {
    dni_pool_id: joins ? pool.id : null,
    updated_at: ctx.now,
  });
  const before = { dni_pool_id: row.dni_pool_id };
  await recordNumberEvent(ctx, row.id, {
    type,
    summary: joins
      ? `Added to the tracking pool “${pool.name}”`
      : `Removed from the tracking pool “${pool.name}”`,
    before,
    after: { dni_pool_id: joins ? pool.id : null },
  });
  await ctx.publish(
    contract.numberChanged,
    { companyId: ctx.companyId, numberId: row.id, number: row.number, changed: ['dni_pool_id'] },
    { numberId: row.id },
  );
}
