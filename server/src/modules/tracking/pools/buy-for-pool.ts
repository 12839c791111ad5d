import type { tracking as contract } from '#contract';
import { categoryOf } from '#contract/numbers/rules';
import type { z } from 'zod';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { beginBulkPurchase, findAndReserve } from '../../numbers/index.ts';
import type { PoolRecord } from './store.ts';

type PoolPurchase = z.infer<typeof contract.poolPurchase>;
/** Numbers that were found and are held for ten minutes. */
export interface FoundNumbers {
  wanted: number;
  reservations: Awaited<ReturnType<typeof findAndReserve>>;
}

/**
 * Finds and holds numbers for a pool, outside of a transaction. Fails with `role.forbidden` for
 * people who may not buy, `numbers.none_found`, `carrier.refused` or `carrier.unreachable`.
 */
export async function findNumbers(
  ctx: Ctx,
  wanted: number,
  where: { areaCode: string | null; category: 1 | 2 },
): Promise<FoundNumbers> {
  if (ctx.may('numbers.buy') === 'none') fail('role.forbidden');
  const unavailable = new Map<string, string>();
  const reservations = await findAndReserve(
    ctx,
    {
      country: 'US',
      category: where.category,
      match: 'Contains',
      limit: wanted,
      ...(where.areaCode !== null && { areaCode: where.areaCode }),
    },
    [],
    unavailable,
  );
  if (!reservations.length && unavailable.size)
    fail('carrier.refused', { reason: [...unavailable.values()].join(' ') });
  if (!reservations.length) fail('numbers.none_found');
  return { wanted, reservations };
}

/**
 * Starts the job that buys what was found; each number joins the pool when it is bought. Null:
 * nothing to buy. Fails with `numbers.limit`.
 */
export async function buyNumbersFor(
  ctx: TxCtx,
  pool: Pick<PoolRecord, 'id' | 'name' | 'template_id'>,
  found: FoundNumbers | null,
): Promise<PoolPurchase> {
  if (!found) return null;
  const { reservations, wanted } = found;
  const batchId = await beginBulkPurchase(ctx, {
    wishes: reservations.map(({ number, category, found: offer }) => ({
      number,
      category: category ?? categoryOf(number),
      found: offer,
    })),
    label: pool.name,
    tags: [],
    buyer: ctx.actor.userId,
    templateId: pool.template_id,
    poolId: pool.id,
  });
  return {
    batchId,
    status: 'queued',
    total: reservations.length,
    missing: wanted - reservations.length,
  };
}
