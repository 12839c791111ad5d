import { forwarding as contract, type Answer, type PageAnswer, type Query } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { presentContact } from './present.ts';
import { userNamesById } from './store.ts';
import {
  contactPage,
  contactView,
  countContacts,
  usesOf,
  type ContactView,
} from './store-lists.ts';

// The system role: names and addresses of people, for IDs that the company’s own rows hold.

/** A page of the people and numbers that calls can be forwarded to. */
export async function listForwardContacts(
  ctx: TxCtx,
  query: Query<typeof contract.listForwardContacts>,
): Promise<PageAnswer<contract.ForwardContact>> {
  const { rows, total } = await contactPage(
    ctx.tx,
    ctx.companyId,
    query,
    {
      sort: query.sort ?? 'name',
      dir: query.dir ?? 'asc',
      page: query.page,
      perPage: query.perPage,
    },
    ctx.now,
  );
  const names = await userNamesOf(ctx, rows);
  return { rows: rows.map((row) => presentContact(row, names)), total };
}
const userNamesOf = (ctx: TxCtx, rows: readonly ContactView[]) =>
  userNamesById(
    ctx.db.unscoped,
    rows.flatMap((row) => row.user_id ?? []),
  );

/** Fails with 404. */
export async function getForwardContact(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.getForwardContact>> {
  const row = (await contactView(ctx.tx, ctx.companyId, id, ctx.now)) ?? notFound();
  return { data: presentContact(row, await userNamesOf(ctx, [row])) };
}
/** How many forwarding contacts there are, how many no route uses, and how many fail to answer. */
export const forwardContactStats = async (
  ctx: TxCtx,
): Promise<Answer<typeof contract.forwardContactStats>> => ({
  data: await countContacts(ctx.tx, ctx.companyId, ctx.now),
});

/** Routes that use a contact. Fails with 404. */
export async function forwardContactUsage(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.forwardContactUsage>> {
  if (!(await contactView(ctx.tx, ctx.companyId, id, ctx.now))) notFound();
  return { data: await usesOf(ctx.tx, ctx.companyId, id) };
}
