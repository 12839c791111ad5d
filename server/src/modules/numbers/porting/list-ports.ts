import { porting as contract, type Answer, type PageAnswer, type Query } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/refuse.ts';
import { presentPortRow } from './present.ts';
import { countPorts, portPage, type PortSort } from './store.ts';

export async function listPorts(ctx: TxCtx, query: Query<typeof contract.listPorts>): Promise<PageAnswer<contract.PortRow>> {
  const sort = (query.sort ?? 'created_at') as PortSort;
  if (!contract.portSorts.includes(sort)) invalid({ sort: `Sort by one of ${contract.portSorts.join(', ')}.` });
  const { rows, total } = await portPage(ctx.tx, ctx.companyId, query, { sort, dir: query.dir ?? (query.sort ? 'asc' : 'desc'), page: query.page, perPage: query.perPage }, ctx.now);
  return { rows: rows.map(presentPortRow), total };
}
export const portStats = async (ctx: TxCtx): Promise<Answer<typeof contract.portStats>> => ({ data: await countPorts(ctx.tx, ctx.companyId, ctx.now) });
