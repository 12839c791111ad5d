import type { PageAnswer, Query, search as contract } from '#contract';
import type { CallFound } from '#contract/calls/search/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { exportSearch } from './export-search.ts';
import { searchFilter, presentResults } from './present-results.ts';
import { searchPage } from './store-search.ts';

/** Searches calls by transcript, note, tags and caller, with highlights; or exports them as CSV. */
export async function searchCalls(
  ctx: TxCtx,
  query: Query<typeof contract.searchCalls>,
): Promise<PageAnswer<CallFound>> {
  const filter = searchFilter(ctx, query);
  if (query.format === 'csv')
    return { rows: [], total: 0, meta: await exportSearch(ctx, query, filter) };
  const page = await searchPage(ctx.tx, filter, {
    limit: query.perPage,
    offset: (query.page - 1) * query.perPage,
  });
  return {
    rows: await presentResults(ctx, page.rows, filter.terms ?? []),
    total: page.total,
    meta: {
      ...(page.capped ? { total_is_capped: true } : {}),
      ...(page.searchedSince ? { searched_since: page.searchedSince.toISOString() } : {}),
    },
  };
}
