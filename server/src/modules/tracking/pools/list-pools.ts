import type { Answer, PageAnswer, Query, tracking as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { firstOf } from '../../../platform/must-be.ts';
import { personNow } from '../../companies/index.ts';
import { hitsOfPool } from '../hits/hits-of-pool.ts';
import { rememberedIn } from '../script/remembered.ts';
import { presentPools } from './present.ts';
import { poolPage, readPool } from './store.ts';

/** A page of the pools that the actor sees, without their numbers. */
export async function listPools(
  ctx: TxCtx,
  query: Query<typeof contract.listPools>,
): Promise<PageAnswer<contract.PoolRow>> {
  const { rows, total } = await poolPage(ctx.tx, ctx.companyId, query, ctx.numbers, {
    sort: query.sort ?? 'name',
    dir: query.dir ?? 'asc',
    page: query.page,
    perPage: query.perPage,
  });
  const pools = await presentPools(ctx, rows);
  return { rows: pools.map(({ numbers: _, ...row }) => row), total };
}

/** Fails with 404. */
export async function getPool(ctx: TxCtx, id: number): Promise<Answer<typeof contract.getPool>> {
  const row = (await readPool(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? notFound();
  const hits24h = await hitsOfPool(ctx.tx, ctx.companyId, id, ctx.now);
  const remembered = await rememberedIn(ctx.tx, ctx.companyId, row.settings, ctx.now);
  const by = row.auto_scale_by === null ? null : await personNow(ctx.db, row.auto_scale_by);
  const growth = {
    by: by?.name ?? null,
    lastAt: row.grown_at?.toISOString() ?? null,
    problem: row.settings.autoScale.enabled ? row.growth_problem : null,
  };
  return { data: { ...firstOf(await presentPools(ctx, [row])), hits24h, remembered, growth } };
}
