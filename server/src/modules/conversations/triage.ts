import type { Body } from '#contract';
import type { Conversation, Item } from '#contract/conversations/schemas';
import type {
  bulkUpdateConversations as bulk,
  readAllByType as byType,
} from '#contract/conversations/endpoints';
import type { TxCtx } from '../../platform/context.ts';
import { audit } from '../../platform/audit.ts';
import { fail } from '../../platform/errors.ts';
import { refuseIfHeld } from '../../platform/legal-hold.ts';
import { firstOf } from '../../platform/must-be.ts';
import { blockParty, unblockParty } from '../compliance/index.ts';
import { conversationAnswer, itemAnswer, findConversation, findItem } from './read.ts';
import { recomputeCounters } from './recompute-counters.ts';
import {
  publishConversationsUpdated,
  publishConversationUpdated,
} from './publish-conversation-updated.ts';
import { lockConversationsByIds, setArchived, setDeleted } from './store.ts';
import { updateItem, deleteItems, markLatestUnread, markRead } from './store-items.ts';
import { lockUnreadConversations } from './store-unread.ts';

/** Archives a conversation; `not_found` when the user may not see it. */
export async function archiveConversation(ctx: TxCtx, id: number): Promise<{ data: Conversation }> {
  return setConversationArchived(ctx, id, true);
}
/** Brings an archived conversation back; `not_found` when the user may not see it. */
export async function restoreConversation(ctx: TxCtx, id: number): Promise<{ data: Conversation }> {
  return setConversationArchived(ctx, id, false);
}
async function setConversationArchived(
  ctx: TxCtx,
  id: number,
  archived: boolean,
): Promise<{ data: Conversation }> {
  const before = await findConversation(ctx, id, true);
  const [after] = await setArchived(ctx.tx, ctx.companyId, [id], archived ? ctx.now : null);
  if (after) await publishConversationUpdated(ctx, archived ? 'archived' : 'restored', after);
  return conversationAnswer(ctx, after ?? before);
}

/** Marks all items of a conversation as read. */
export async function readConversation(ctx: TxCtx, id: number): Promise<{ data: Conversation }> {
  const before = await findConversation(ctx, id, true);
  const { items } = await markRead(ctx.tx, ctx.companyId, { conversationIds: [id] }, ctx.now);
  if (!items) return conversationAnswer(ctx, before);
  const after = firstOf(await recomputeCounters(ctx, [id]));
  await publishConversationUpdated(ctx, 'read', after);
  return conversationAnswer(ctx, after);
}

/** Only inbound items can be unread; others are returned unchanged. */
export async function setItemRead(
  ctx: TxCtx,
  ids: { id: number; itemId: number },
  read: boolean,
): Promise<{ data: Item }> {
  const { item } = await findItem(ctx, ids, true);
  if ((item.read_at !== null) === read || !item.is_inbound) return itemAnswer(ctx, item);
  const changed = await updateItem(ctx.tx, ctx.companyId, item.id, {
    read_at: read ? ctx.now : null,
  });
  const conversation = firstOf(await recomputeCounters(ctx, [item.conversation_id]));
  await publishConversationUpdated(ctx, read ? 'read' : 'unread', conversation, changed);
  return itemAnswer(ctx, changed);
}

/**
 * Marks all items of a kind as read in the conversations the user may see. Returns how many
 * changed.
 */
export async function readAllByType(
  ctx: TxCtx,
  body: Body<typeof byType>,
): Promise<{ data: { items: number; conversations: number } }> {
  const numbers = body.numbers?.length
    ? body.numbers.filter((n) => !ctx.numbers || ctx.numbers.includes(n))
    : ctx.numbers;
  const ids = await lockUnreadConversations(ctx.tx, ctx.companyId, numbers);
  const { items, conversations } = await markRead(
    ctx.tx,
    ctx.companyId,
    { conversationIds: ids, kind: body.type === 'all' ? null : body.type },
    ctx.now,
  );
  if (conversations.length)
    await publishConversationsUpdated(ctx, 'read', await recomputeCounters(ctx, conversations));
  return { data: { items, conversations: conversations.length } };
}

/**
 * One action on many. Those already in that state, and those not visible, are `unchanged`.
 * `role.forbidden` for deleting or blocking without its permission; `hold.keeps_some` and nothing is
 * deleted where one of them is held.
 */
export async function bulkUpdateConversations(
  ctx: TxCtx,
  body: Body<typeof bulk>,
): Promise<{ data: { updated: number[]; unchanged: number[] } }> {
  if (body.type === 'delete' && ctx.may('inbox.delete') === 'none') fail('role.forbidden');
  if ((body.type === 'block' || body.type === 'unblock') && ctx.may('blocks.edit') === 'none')
    fail('role.forbidden');
  const wanted = [...new Set(body.ids)];
  const rows = await lockConversationsByIds(ctx.tx, ctx.companyId, wanted, ctx.numbers);
  if (body.type === 'delete')
    await refuseIfHeld(
      ctx,
      rows.map((row) => row.party),
      'many',
    );
  const ids = rows.map((r) => r.id);
  const updated = ids.length ? await applyBulkAction(ctx, body.type, rows, ids) : [];
  return { data: { updated, unchanged: wanted.filter((id) => !updated.includes(id)) } };
}

async function applyBulkAction(
  ctx: TxCtx,
  type: Body<typeof bulk>['type'],
  rows: Awaited<ReturnType<typeof lockConversationsByIds>>,
  ids: number[],
): Promise<number[]> {
  const { tx, companyId } = ctx;
  switch (type) {
    case 'archive':
    case 'restore': {
      const changed = await setArchived(tx, companyId, ids, type === 'archive' ? ctx.now : null);
      await publishConversationsUpdated(ctx, type === 'archive' ? 'archived' : 'restored', changed);
      return changed.map((c) => c.id);
    }
    case 'read':
    case 'unread': {
      const touched =
        type === 'read'
          ? (await markRead(tx, companyId, { conversationIds: ids }, ctx.now)).conversations
          : await markLatestUnread(
              tx,
              companyId,
              rows.filter((r) => !r.unread).map((r) => r.id),
            );
      if (touched.length)
        await publishConversationsUpdated(ctx, type, await recomputeCounters(ctx, touched));
      return touched;
    }
    case 'block':
    case 'unblock': {
      // The block is compliance's; the conversation's own item and event follow from its event.
      const changed: number[] = [];
      for (const row of rows)
        if (await (type === 'block' ? blockParty : unblockParty)(ctx, row.party, row.number_id))
          changed.push(row.id);
      return changed;
    }
    case 'delete': {
      const deleted = await deleteItems(
        tx,
        companyId,
        { conversationIds: ids },
        ctx.now,
        ctx.actor.userId || null,
      );
      await setDeleted(tx, companyId, ids, ctx.now);
      for (const row of rows)
        await audit(ctx, 'conversation.deleted', `conversation:${row.id}`, {
          before: { party: row.party, number_id: row.number_id },
        });
      const after = await recomputeCounters(ctx, ids);
      if (deleted.length || after.length) await publishConversationsUpdated(ctx, 'deleted', after);
      return ids;
    }
  }
}

/** Deletes an item from its conversation; nobody sees it any more. `not_found`, `hold.keeps`. */
export async function deleteItem(ctx: TxCtx, ids: { id: number; itemId: number }): Promise<void> {
  const { item, conversation: of } = await findItem(ctx, ids, true);
  await refuseIfHeld(ctx, [of.party]);
  await deleteItems(ctx.tx, ctx.companyId, { id: item.id }, ctx.now, ctx.actor.userId || null);
  await audit(ctx, 'item.deleted', `item:${item.id}`, {
    before: {
      kind: item.kind,
      conversation_id: item.conversation_id,
      created_at: item.created_at,
      is_inbound: item.is_inbound,
    },
  });
  const conversation = firstOf(await recomputeCounters(ctx, [item.conversation_id]));
  await publishConversationUpdated(ctx, 'deleted', conversation, item);
}

/**
 * Message items only: calls, voicemails, faxes, notes and scheduled texts stay (A10). `not_found`,
 * `hold.keeps`.
 */
export async function deleteMessages(ctx: TxCtx, id: number): Promise<void> {
  const { party } = await findConversation(ctx, id, true);
  await refuseIfHeld(ctx, [party]);
  const deleted = await deleteItems(
    ctx.tx,
    ctx.companyId,
    { conversationIds: [id], kinds: ['message'] },
    ctx.now,
    ctx.actor.userId || null,
  );
  if (!deleted.length) return;
  await audit(ctx, 'messages.deleted', `conversation:${id}`, {
    before: { messages: deleted.length },
  });
  const conversation = firstOf(await recomputeCounters(ctx, [id]));
  await publishConversationUpdated(ctx, 'deleted', conversation);
}
