import type { Answer, Query } from '#contract';
import type { listBlocks as endpoint } from '#contract/compliance/endpoints';
import type { TxCtx } from '../../platform/context.ts';
import { presentBlocks } from './present.ts';
import { blockPage } from './store.ts';

/**
 * Lists block rules. The response has its own prescribed shape: `data`, `total` and `last_page` at
 * the top level.
 */
export async function listBlocks(
  ctx: TxCtx,
  query: Query<typeof endpoint>,
): Promise<Answer<typeof endpoint>> {
  const { rows, total } = await blockPage(ctx.tx, ctx.companyId, {
    numbers: ctx.numbers,
    search: query.search && (await ctx.contactDetails.numberOf(ctx, query.search)),
    limit: query.perPage,
    offset: (query.page - 1) * query.perPage,
  });
  return {
    data: await presentBlocks(ctx, rows),
    total,
    last_page: Math.max(1, Math.ceil(total / query.perPage)),
    current_page: query.page,
    per_page: query.perPage,
  };
}
