import { routing, type Answer, type forwarding as contract, type Query } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { missing } from '../../../platform/refuse.ts';
import { numberView } from '../store.ts';
import { extensionsInUse } from './store.ts';

/** GET /extension-suggestions: the rule of the next free extension, as often as asked. */
export async function suggestExtensions(ctx: TxCtx, query: Query<typeof contract.extensionSuggestions>): Promise<Answer<typeof contract.extensionSuggestions>> {
  if (query.number_id !== undefined && !(await numberView(ctx.tx, ctx.companyId, query.number_id, ctx.numbers))) missing();
  const inUse = await extensionsInUse(ctx.tx, ctx.companyId, query.number_id, ctx.numbers);
  return { data: routing.freeExtensions(inUse, query.perPage).map((extension) => ({ extension })) };
}
