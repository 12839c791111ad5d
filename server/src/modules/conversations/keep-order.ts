import type { Body } from '#contract';
import type {
  Conversation,
  Item,
  bulkUpdateConversations as bulk,
  readAllByType as byType,
} from '#contract/conversations';
import type { TxCtx } from '../../platform/context.ts';
import { audit } from '../../platform/audit.ts';
import { refuse } from '../../platform/refuse.ts';
import { blockParty, unblockParty } from '../compliance/index.ts';
import { answerConversation, answerItem, theConversation, theItem } from './read.ts';
import { recount } from './recount.ts';
import { sayAllUpdated, sayUpdated } from './say-updated.ts';
import { conversationsByIds, setArchived, setDeleted } from './store.ts';
import { changeItem, deleteItems, markLatestUnread, markRead } from './store-items.ts';
import { unreadInSight } from './store-unread.ts';

export async function archiveConversation(ctx: TxCtx, id: number): Promise<{ data: Conversation }> {
  return putAway(ctx, id, true);
}
export async function restoreConversation(ctx: TxCtx, id: number): Promise<{ data: Conversation }> {
  return putAway(ctx, id, false);
}
async function putAway(ctx: TxCtx, id: number, away: boolean): Promise<{ data: Conversation }> {
  const before = await theConversation(ctx, id, true);
  const [after] = await setArchived(ctx.tx, ctx.companyId, [id], away ? ctx.now : null);
  if (after) await sayUpdated(ctx, away ? 'archived' : 'restored', after);
  return answerConversation(ctx, after ?? before);
}

export async function readConversation(ctx: TxCtx, id: number): Promise<{ data: Conversation }> {
  const before = await theConversation(ctx, id, true);
  const { items } = await markRead(ctx.tx, ctx.companyId, { conversationIds: [id] }, ctx.now);
  if (!items) return answerConversation(ctx, before);
  const [after] = await recount(ctx, [id]);
  await sayUpdated(ctx, 'read', after!);
  return answerConversation(ctx, after!);
}

/** Only what comes in can be unread; anything else answers as it is. */
export async function markItem(
  ctx: TxCtx,
  at: { id: number; itemId: number },
  read: boolean,
): Promise<{ data: Item }> {
  const { item } = await theItem(ctx, at, true);
  if ((item.read_at !== null) === read || !item.is_inbound) return answerItem(ctx, item);
  const changed = await changeItem(ctx.tx, ctx.companyId, item.id, {
    read_at: read ? ctx.now : null,
  });
  const [conversation] = await recount(ctx, [item.conversation_id]);
  await sayUpdated(ctx, read ? 'read' : 'unread', conversation!, changed);
  return answerItem(ctx, changed);
}

export async function readAllByType(
  ctx: TxCtx,
  body: Body<typeof byType>,
): Promise<{ data: { items: number; conversations: number } }> {
  const numbers = body.numbers?.length
    ? body.numbers.filter((n) => !ctx.numbers || ctx.numbers.includes(n))
    : ctx.numbers;
  const ids = await unreadInSight(ctx.tx, ctx.companyId, numbers);
  const { items, conversations } = await markRead(
    ctx.tx,
    ctx.companyId,
    { conversationIds: ids, kind: body.type === 'all' ? null : body.type },
    ctx.now,
  );
  if (conversations.length) await sayAllUpdated(ctx, 'read', await recount(ctx, conversations));
  return { data: { items, conversations: conversations.length } };
}

/** One thing to many. Those that were so already, and those not in sight, are `unchanged`. */
export async function bulkUpdateConversations(
  ctx: TxCtx,
  body: Body<typeof bulk>,
): Promise<{ data: { updated: number[]; unchanged: number[] } }> {
  if (body.type === 'delete' && ctx.may('inbox.delete') === 'none') refuse('role.forbidden');
  if ((body.type === 'block' || body.type === 'unblock') && ctx.may('blocks.edit') === 'none')
    refuse('role.forbidden');
  const wanted = [...new Set(body.ids)];
  const rows = await conversationsByIds(ctx.tx, ctx.companyId, wanted, ctx.numbers);
  const ids = rows.map((r) => r.id);
  const updated = ids.length ? await bulkTo(ctx, body.type, rows, ids) : [];
  return { data: { updated, unchanged: wanted.filter((id) => !updated.includes(id)) } };
}

async function bulkTo(
  ctx: TxCtx,
  type: Body<typeof bulk>['type'],
  rows: Awaited<ReturnType<typeof conversationsByIds>>,
  ids: number[],
): Promise<number[]> {
  const { tx, companyId } = ctx;
  switch (type) {
    case 'archive':
    case 'restore': {
      const changed = await setArchived(tx, companyId, ids, type === 'archive' ? ctx.now : null);
      await sayAllUpdated(ctx, type === 'archive' ? 'archived' : 'restored', changed);
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
      if (touched.length) await sayAllUpdated(ctx, type, await recount(ctx, touched));
      return touched;
    }
    case 'block':
    case 'unblock': {
      // The rule is said by compliance; the conversation's own item and event follow from that.
      const changed: number[] = [];
      for (const row of rows)
        if (await (type === 'block' ? blockParty : unblockParty)(ctx, row.party, row.number_id))
          changed.push(row.id);
      return changed;
    }
    case 'delete': {
      const gone = await deleteItems(
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
      const after = await recount(ctx, ids);
      if (gone.length || after.length) await sayAllUpdated(ctx, 'deleted', after);
      return ids;
    }
  }
}

export async function deleteItem(ctx: TxCtx, at: { id: number; itemId: number }): Promise<void> {
  const { item } = await theItem(ctx, at, true);
  await deleteItems(ctx.tx, ctx.companyId, { id: item.id }, ctx.now, ctx.actor.userId || null);
  await audit(ctx, 'item.deleted', `item:${item.id}`, {
    before: {
      kind: item.kind,
      conversation_id: item.conversation_id,
      created_at: item.created_at,
      is_inbound: item.is_inbound,
    },
  });
  const [conversation] = await recount(ctx, [item.conversation_id]);
  await sayUpdated(ctx, 'deleted', conversation!, item);
}

/** Message items only: calls, voicemails, faxes, notes and plans stay (A10). */
export async function deleteMessages(ctx: TxCtx, id: number): Promise<void> {
  await theConversation(ctx, id, true);
  const gone = await deleteItems(
    ctx.tx,
    ctx.companyId,
    { conversationIds: [id], kinds: ['message'] },
    ctx.now,
    ctx.actor.userId || null,
  );
  if (!gone.length) return;
  await audit(ctx, 'messages.deleted', `conversation:${id}`, { before: { messages: gone.length } });
  const [conversation] = await recount(ctx, [id]);
  await sayUpdated(ctx, 'deleted', conversation!);
}
