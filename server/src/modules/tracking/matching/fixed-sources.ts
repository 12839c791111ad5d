import type { TxCtx } from '../../../platform/context.ts';
import { knownSystemSources } from '../classification/system-sources.ts';
import { staticNumber } from '../pools/choose-pool.ts';
import { readPool } from '../pools/store.ts';
import { slotsOf } from '../pools/store-slots.ts';
import { ownSources } from '../sources/classify-visit.ts';

/** The sources whose visitors see this number of a pool for sources, in the pool's order. */
export async function fixedSourcesOf(
  ctx: TxCtx,
  poolId: number,
  numberId: number,
): Promise<{ id: number; key: string; label: string }[]> {
  const pool = await readPool(ctx.tx, ctx.companyId, poolId, null);
  const slots = await slotsOf(ctx.tx, ctx.companyId, [poolId], null, ctx.now);
  const called = slots.find(({ number_id }) => number_id === numberId)?.number;
  if (!pool || called === undefined) return [];
  const all = [...(await ownSources(ctx)), ...knownSystemSources];
  const chosen = pool.source_ids.flatMap((id) => all.find((one) => one.id === id) ?? []);
  const order = pool.source_ids.length > 0 ? pool.source_ids : all.map(({ id }) => id);
  const numbers = slots.map(({ number }) => number);
  return (pool.source_ids.length > 0 ? chosen : all)
    .filter(({ id }) => staticNumber(numbers, order, id) === called)
    .map(({ id, key, label }) => ({ id, key, label }));
}
