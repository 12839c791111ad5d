import type { PageAnswer, Query, callcare as contract } from '#contract';
import type { CallFound } from '#contract/callcare';
import type { TxCtx } from '../../../platform/context.ts';
import { exportSearch } from './export-search.ts';
import { lookedFor, presentFound } from './present-found.ts';
import { foundPage } from './store-search.ts';

/** Calls by what was said, noted, tagged, or who called; where in each it stands. */
export async function searchCalls(
  ctx: TxCtx,
  query: Query<typeof contract.searchCalls>,
): Promise<PageAnswer<CallFound>> {
  const looked = lookedFor(ctx, query);
  if (query.format === 'csv')
    return { rows: [], total: 0, meta: await exportSearch(ctx, query, looked) };
  const page = await foundPage(ctx.tx, looked, {
    limit: query.perPage,
    offset: (query.page - 1) * query.perPage,
  });
  return {
    rows: await presentFound(ctx, page.rows, looked.wanted ?? []),
    total: page.total,
    meta: page.capped ? { total_is_capped: true } : {},
  };
}
