import { porting as contract, type Answer, type PageAnswer, type Query } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { presentPortRow } from './present.ts';
import { countPorts, portPage } from './store-lists.ts';

/** A page of the company's port requests, newest first unless sorted. */
export async function listPorts(
  ctx: TxCtx,
  query: Query<typeof contract.listPorts>,
): Promise<PageAnswer<contract.PortRow>> {
  const { rows, total } = await portPage(
    ctx.tx,
    ctx.companyId,
    query,
    {
      sort: query.sort ?? 'created_at',
      dir: query.dir ?? (query.sort ? 'asc' : 'desc'),
      page: query.page,
      perPage: query.perPage,
    },
    ctx.now,
  );
  return { rows: rows.map(presentPortRow), total };
}
/** How many port requests wait, run, were rejected, or completed within 30 days. */
export const portStats = async (ctx: TxCtx): Promise<Answer<typeof contract.portStats>> => ({
  data: await countPorts(ctx.tx, ctx.companyId, ctx.now),
});
