import type { Answer, Body } from '#contract';
import {
  viewCountsTo,
  viewFilters,
  viewsChanged,
  type InboxView,
  type ViewFilters,
  type addInboxView as adding,
  type listInboxViews as listing,
  type updateInboxView as updating,
} from '#contract/teamwork';
import type { TxCtx } from '../../../platform/context.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import { filterOf } from '../list-conversations.ts';
import { conversationCount } from '../store-lists.ts';
import {
  changeView,
  deleteView,
  insertView,
  viewById,
  viewsOf,
  viewTaken,
  type ViewRow,
} from './store.ts';

const most = 50;
const mayChange = (ctx: TxCtx, row: { shared: boolean; owner_id: number }): boolean =>
  row.owner_id === ctx.actor.userId || (row.shared && ctx.may('settings.edit') !== 'none');

/** What a view's filters ask of the list. */
export const queryOf = (f: ViewFilters) => ({
  ...(f.state === 'snoozed'
    ? { isSnoozed: true }
    : f.state === 'archived'
      ? { isArchived: true }
      : f.search
        ? {}
        : { isArchived: false }),
  ...(f.state === 'unread' ? { isUnread: true } : {}),
  ...(f.assigned === null ? {} : { assigned: f.assigned }),
  ...(f.types.length ? { types: f.types } : {}),
  ...(f.numbers.length ? { numbers: f.numbers } : {}),
  ...(f.search ? { search: f.search } : {}),
});
const countOf = (ctx: TxCtx, f: ViewFilters): Promise<number> =>
  conversationCount(ctx.tx, filterOf(ctx, queryOf(f)), viewCountsTo);
const filtersOf = (row: ViewRow): ViewFilters => viewFilters.parse(row.filters);
const present = async (ctx: TxCtx, row: ViewRow): Promise<InboxView> => ({
  id: row.id,
  name: row.name,
  filters: filtersOf(row),
  shared: row.shared,
  owner: { id: row.owner_id, name: row.owner_name },
  mine: row.owner_id === ctx.actor.userId,
  can_change: mayChange(ctx, row),
  count: await countOf(ctx, filtersOf(row)),
});

/** Views with their counts: each looks at no more than a hundred rows of its index. */
export async function listInboxViews(ctx: TxCtx): Promise<Answer<typeof listing>> {
  const data: InboxView[] = [];
  for (const row of await viewsOf(ctx.tx, ctx.companyId, ctx.actor.userId))
    data.push(await present(ctx, row));
  const fixed = (more: Partial<ViewFilters>) => countOf(ctx, viewFilters.parse(more));
  const counts = {
    open: await fixed({}),
    mine: await fixed({ assigned: 'me' }),
    unassigned: await fixed({ assigned: 'none' }),
    unread: await fixed({ state: 'unread' }),
    snoozed: await fixed({ state: 'snoozed' }),
  };
  return { data, meta: { counts } };
}

export async function addInboxView(
  ctx: TxCtx,
  body: Body<typeof adding>,
): Promise<Answer<typeof adding>> {
  if (
    (await viewsOf(ctx.tx, ctx.companyId, ctx.actor.userId)).filter(
      (row) => row.owner_id === ctx.actor.userId,
    ).length >= most
  )
    refuse('view.limit');
  const row =
    (await insertView(ctx.tx, {
      company_id: ctx.companyId,
      owner_id: ctx.actor.userId,
      owner_name: ctx.actor.name,
      shared: body.shared,
      name: body.name,
      filters: JSON.stringify(body.filters),
      created_at: ctx.now,
      updated_at: ctx.now,
    })) ?? refuse('view.exists');
  await ctx.say(viewsChanged, { companyId: ctx.companyId });
  return { data: await present(ctx, row) };
}

async function theView(ctx: TxCtx, id: number): Promise<ViewRow> {
  const row = await viewById(ctx.tx, ctx.companyId, id);
  if (!row || (!row.shared && row.owner_id !== ctx.actor.userId)) missing();
  return mayChange(ctx, row) ? row : refuse('view.not_yours');
}

export async function updateInboxView(
  ctx: TxCtx,
  id: number,
  body: Body<typeof updating>,
): Promise<Answer<typeof updating>> {
  const before = await theView(ctx, id);
  const [name, shared] = [body.name ?? before.name, body.shared ?? before.shared];
  if (await viewTaken(ctx.tx, ctx.companyId, { name, shared, ownerId: before.owner_id, but: id }))
    refuse('view.exists');
  const row = await changeView(ctx.tx, ctx.companyId, id, {
    name,
    shared,
    ...(body.filters ? { filters: JSON.stringify(body.filters) } : {}),
    updated_at: ctx.now,
  });
  await ctx.say(viewsChanged, { companyId: ctx.companyId });
  return { data: await present(ctx, row) };
}

export async function removeInboxView(ctx: TxCtx, id: number): Promise<void> {
  await theView(ctx, id);
  await deleteView(ctx.tx, ctx.companyId, id);
  await ctx.say(viewsChanged, { companyId: ctx.companyId });
}
