import type { Answer, PageAnswer, Query, templates as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { firstOf } from '../../../platform/must-be.ts';
import { presentTemplates } from './present.ts';
import { templatePage, templateView } from './store.ts';

/** A page of the company's number templates. */
export async function listNumberTemplates(
  ctx: TxCtx,
  query: Query<typeof contract.listNumberTemplates>,
): Promise<PageAnswer<contract.NumberTemplate>> {
  const { rows, total } = await templatePage(ctx.tx, ctx.companyId, query.search, {
    sort: query.sort ?? 'name',
    dir: query.dir ?? 'asc',
    page: query.page,
    perPage: query.perPage,
  });
  return { rows: await presentTemplates(ctx.tx, ctx.companyId, rows), total };
}
/** Fails with 404. */
export async function getNumberTemplate(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.getNumberTemplate>> {
  const row = (await templateView(ctx.tx, ctx.companyId, id)) ?? notFound();
  return { data: firstOf(await presentTemplates(ctx.tx, ctx.companyId, [row])) };
}
