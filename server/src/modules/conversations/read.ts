import type { Answer, Query } from '#contract';
import type { Conversation, Item, InboxItem } from '#contract/conversations/schemas';
import type {
  listConversationItems as thread,
  listInboxItems as inbox,
  lookUpSender as lookUp,
} from '#contract/conversations/endpoints';
import type { PageAnswer } from '#contract';
import { isNumber } from '#contract/party';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { firstOf } from '../../platform/must-be.ts';
import { identifyCaller } from '../calls/index.ts';
import { searchWindow } from './list-conversations.ts';
import { presentConversations, presentItems, presentInboxItems } from './present.ts';
import { readCursor, parseSearch, writeCursor } from './rules.ts';
import { conversationById, type ConversationRow, type ItemRow } from './store.ts';
import { itemById } from './store-items.ts';
import { itemPage, cursorAround, threadPage } from './store-item-lists.ts';

/**
 * The conversation, if its number is visible to the actor. Throws 404 for a missing and for a
 * foreign one.
 */
export const findConversation = async (
  ctx: TxCtx,
  id: number,
  lock = false,
): Promise<ConversationRow> =>
  (await conversationById(ctx.tx, ctx.companyId, id, ctx.numbers, lock)) ?? notFound();
/**
 * An item with its conversation. `not_found` when the user may not see the conversation or the item
 * is not in it.
 */
export async function findItem(
  ctx: TxCtx,
  ids: { id: number; itemId: number },
  lock = false,
): Promise<{ conversation: ConversationRow; item: ItemRow }> {
  const conversation = await findConversation(ctx, ids.id, lock);
  const item = await itemById(ctx.tx, ctx.companyId, ids.itemId, lock);
  return item && item.conversation_id === conversation.id ? { conversation, item } : notFound();
}
/** One conversation as a response. */
export const conversationAnswer = async (
  ctx: TxCtx,
  row: ConversationRow,
): Promise<{ data: Conversation }> => ({ data: (await presentConversations(ctx, [row]))[0]! });
/** One item as a response. */
export const itemAnswer = async (ctx: TxCtx, row: ItemRow): Promise<{ data: Item }> => ({
  data: firstOf(await presentItems(ctx, [row])),
});

/** One conversation; `not_found` when the user may not see it. */
export const getConversation = async (ctx: TxCtx, id: number) =>
  conversationAnswer(ctx, await findConversation(ctx, id));
/** One item of a conversation; `not_found` when the user may not see it. */
export const getConversationItem = async (ctx: TxCtx, at: { id: number; itemId: number }) =>
  itemAnswer(ctx, (await findItem(ctx, at)).item);

const nextCursor = (rows: readonly { created_at: Date; id: number }[], perPage: number) => {
  const last = rows.at(-1);
  return last && rows.length === perPage ? writeCursor(last.created_at, last.id) : null;
};

/**
 * A page of a conversation's items, newest first. `around`: the page with this item in its middle.
 */
export async function listConversationItems(
  ctx: TxCtx,
  id: number,
  query: Query<typeof thread>,
): Promise<PageAnswer<Item>> {
  await findConversation(ctx, id);
  const centered = query.around
    ? await cursorAround(ctx.tx, ctx.companyId, id, query.around, query.perPage)
    : null;
  const page = await threadPage(ctx.tx, ctx.companyId, id, query.types, {
    limit: query.perPage,
    offset: (query.page - 1) * query.perPage,
    after: readCursor(query.cursor) ?? centered,
  });
  return {
    rows: await presentItems(ctx, page.rows),
    total: page.total,
    meta: {
      next_cursor: nextCursor(page.rows, query.perPage),
      ...(page.capped ? { total_is_capped: true } : {}),
    },
  };
}

/** A page of items across conversations, newest first, as the inbox lists and searches them. */
export async function listInboxItems(
  ctx: TxCtx,
  query: Query<typeof inbox>,
): Promise<PageAnswer<InboxItem>> {
  const search = query.search ? parseSearch(query.search) : null;
  const { since, until } = searchWindow(search, query, ctx.now);
  const page = await itemPage(
    ctx.tx,
    {
      companyId: ctx.companyId,
      hidden: ctx.contactDetails.hiddenFrom(ctx),
      me: ctx.actor.userId,
      sight: ctx.numbers,
      numbers: query.numbers,
      sources: query.sources,
      kinds: query.types,
      archived: query.isArchived ?? null,
      search,
      since,
      until,
    },
    {
      limit: query.perPage,
      offset: (query.page - 1) * query.perPage,
      after: readCursor(query.cursor),
    },
  );
  return {
    rows: await presentInboxItems(ctx, page.rows),
    total: page.total,
    meta: {
      next_cursor: nextCursor(page.rows, query.perPage),
      ...(page.capped ? { total_is_capped: true } : {}),
    },
  };
}

/**
 * Who owns the other party's number. Calls a third party, so no transaction is open meanwhile.
 * `lookup.not_found` for a party without a number.
 */
export async function lookUpSender(ctx: Ctx, id: number): Promise<Answer<typeof lookUp>> {
  const party = await ctx.transaction(async (t) => {
    const item = (await itemById(t.tx, t.companyId, id)) ?? notFound();
    return (await findConversation(t, item.conversation_id)).party;
  });
  if (!isNumber(party)) fail('lookup.not_found');
  return { data: await identifyCaller(ctx, { number: party }) };
}
