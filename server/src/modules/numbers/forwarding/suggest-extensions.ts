import { fold } from '#contract/fold';
import { routing, type Answer, type forwarding as contract, type Query } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { numberView } from '../store.ts';
import { extensionsInUse } from './store-lists.ts';

/**
 * GET /extension-suggestions: labels and extensions in use that match, and the next free extension
 * (A22, B §5). Fails with 404 for a number the caller may not see.
 */
export async function suggestExtensions(
  ctx: TxCtx,
  query: Query<typeof contract.extensionSuggestions>,
): Promise<Answer<typeof contract.extensionSuggestions>> {
  for (const numberId of query.number_ids ?? []) {
    if (!(await numberView(ctx.tx, ctx.companyId, numberId, ctx.numbers))) notFound();
  }
  const inUse = await extensionsInUse(ctx.tx, ctx.companyId, query.number_ids, ctx.numbers);
  const search = fold(query.search ?? '');
  const matches = inUse.filter(
    (one) => fold(one.label).includes(search) || String(one.extension).startsWith(search),
  );
  return {
    data: matches.slice(0, query.perPage),
    meta: { next: routing.nextFreeExtension([...new Set(inUse.map((one) => one.extension))]) },
  };
}
