import type { Answer, Body } from '#contract';
import { viewCountsTo } from '#contract/conversations/team/rules';
import {
  viewFilters,
  type InboxView,
  type ViewFilters,
} from '#contract/conversations/team/schemas';
import { viewsChanged } from '#contract/conversations/team/events';
import type {
  addInboxView as adding,
  listInboxViews as listing,
  updateInboxView as updating,
} from '#contract/conversations/team/endpoints';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { conversationFilterOf } from '../list-conversations.ts';
import { conversationCount } from '../store-lists.ts';
import {
  updateView,
  deleteView,
  insertView,
  viewById,
  viewsOf,
  isViewNameTaken,
  type ViewRow,
} from './store-views.ts';

const maxViews = 50;
const canEdit = (ctx: TxCtx, row: { shared: boolean; owner_id: number }): boolean =>
  row.owner_id === ctx.actor.userId || (row.shared && ctx.may('settings.edit') !== 'none');

/** A view's filters as those of the list. */
const listQueryOf = (f: ViewFilters) => ({
  ...(f.state === 'opt_outs'
    ? { possibleOptOut: true }
    : f.state === 'snoozed'
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
  ...(f.sources.length ? { sources: f.sources } : {}),
  ...(f.search ? { search: f.search } : {}),
});
const countOf = (ctx: TxCtx, f: ViewFilters): Promise<number> =>
  conversationCount(ctx.tx, conversationFilterOf(ctx, listQueryOf(f)), viewCountsTo);
const filtersOf = (row: ViewRow): ViewFilters => viewFilters.parse(row.filters);
const presentView = async (ctx: TxCtx, row: ViewRow): Promise<InboxView> => ({
  id: row.id,
  name: row.name,
  filters: filtersOf(row),
  shared: row.shared,
  owner: { id: row.owner_id, name: row.owner_name },
  mine: row.owner_id === ctx.actor.userId,
  can_change: canEdit(ctx, row),
  count: await countOf(ctx, filtersOf(row)),
});

/** Views with their counts: each reads at most a hundred rows of its index. */
export async function listInboxViews(ctx: TxCtx): Promise<Answer<typeof listing>> {
  const data: InboxView[] = [];
  for (const row of await viewsOf(ctx.tx, ctx.companyId, ctx.actor.userId))
    data.push(await presentView(ctx, row));
  const countWith = (more: Partial<ViewFilters>) => countOf(ctx, viewFilters.parse(more));
  const counts = {
    open: await countWith({}),
    mine: await countWith({ assigned: 'me' }),
    unassigned: await countWith({ assigned: 'none' }),
    unread: await countWith({ state: 'unread' }),
    snoozed: await countWith({ state: 'snoozed' }),
    opt_outs: await countWith({ state: 'opt_outs' }),
  };
  return { data, meta: { counts } };
}

/**
 * Stores a view of the inbox. `view.limit` when the user has too many; fails too when the name is
 * taken.
 */
export async function addInboxView(
  ctx: TxCtx,
  body: Body<typeof adding>,
): Promise<Answer<typeof adding>> {
  if (
    (await viewsOf(ctx.tx, ctx.companyId, ctx.actor.userId)).filter(
      (row) => row.owner_id === ctx.actor.userId,
    ).length >= maxViews
  )
    fail('view.limit');
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
    })) ?? fail('view.exists');
  await ctx.publish(viewsChanged, { companyId: ctx.companyId });
  return { data: await presentView(ctx, row) };
}

async function requireEditableView(ctx: TxCtx, id: number): Promise<ViewRow> {
  const row = await viewById(ctx.tx, ctx.companyId, id);
  if (!row || (!row.shared && row.owner_id !== ctx.actor.userId)) notFound();
  return canEdit(ctx, row) ? row : fail('view.not_yours');
}

/** Changes a view. Fails when it is not the user's to edit or the name is taken. */
export async function updateInboxView(
  ctx: TxCtx,
  id: number,
  body: Body<typeof updating>,
): Promise<Answer<typeof updating>> {
  const before = await requireEditableView(ctx, id);
  const [name, shared] = [body.name ?? before.name, body.shared ?? before.shared];
  if (
    await isViewNameTaken(ctx.tx, ctx.companyId, {
      name,
      shared,
      ownerId: before.owner_id,
      but: id,
    })
  )
    fail('view.exists');
  const row = await updateView(ctx.tx, ctx.companyId, id, {
    name,
    shared,
    ...(body.filters ? { filters: JSON.stringify(body.filters) } : {}),
    updated_at: ctx.now,
  });
  await ctx.publish(viewsChanged, { companyId: ctx.companyId });
  return { data: await presentView(ctx, row) };
}

/** Deletes a view that the user may edit. */
export async function removeInboxView(ctx: TxCtx, id: number): Promise<void> {
  await requireEditableView(ctx, id);
  await deleteView(ctx.tx, ctx.companyId, id);
  await ctx.publish(viewsChanged, { companyId: ctx.companyId });
}
