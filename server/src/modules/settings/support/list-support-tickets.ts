import type { Answer, PageAnswer, Query, support as contract } from '#contract';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { companiesByPin } from '../../companies/index.ts';
import { presentStaffTickets, presentTickets } from './present.ts';
import { allTickets, ticketsOf } from './store.ts';

// The system role: platform staff help every company; the endpoints are theirs alone.

type Row<E> = Answer<E> extends { data: (infer R)[] } ? R : never;
const offsetOf = (query: { page: number; perPage: number }) => (query.page - 1) * query.perPage;

/** A page of the user's own tickets. */
export async function listSupportTickets(
  ctx: TxCtx,
  query: Query<typeof contract.listSupportTickets>,
): Promise<PageAnswer<Row<typeof contract.listSupportTickets>>> {
  const page = { limit: query.perPage, offset: offsetOf(query) };
  const { rows, total } = await ticketsOf(ctx.tx, ctx.companyId, ctx.actor.userId, page);
  return { rows: await presentTickets(ctx, ctx.tx, rows), total };
}

/** A page of the tickets of all companies, for platform staff. */
export async function listAllSupportTickets(
  ctx: Ctx,
  query: Query<typeof contract.listAllSupportTickets>,
): Promise<PageAnswer<Row<typeof contract.listAllSupportTickets>>> {
  const { rows, total } = await allTickets(ctx.db.unscoped, {
    search: query.search,
    status: query.status,
    limit: query.perPage,
    offset: offsetOf(query),
  });
  return { rows: await presentStaffTickets(ctx, rows), total };
}

/**
 * The companies with this support PIN, for platform staff on the phone. Each of them sees in its audit
 * log that its PIN was used.
 */
export async function findCompaniesByPin(
  ctx: Ctx,
  pin: string,
): Promise<Answer<typeof contract.findCompaniesByPin>> {
  const found = await companiesByPin(ctx.db.unscoped, pin);
  for (const { id } of found)
    await ctx
      .actingIn(id, ['platform'])
      .transaction((tx) => audit(tx, 'support.pin_used', `company:${id}`));
  return { data: found };
}
