import { conversationUpdated } from '#contract/conversations/events';
import type { conversationReasons } from '#contract/conversations/rules';
import type { TxCtx } from '../../platform/context.ts';
import { firstOf, mustBe } from '../../platform/must-be.ts';
import {
  presentConversations,
  presentItems,
  type PresentContext,
  type PresentableItem,
} from './present.ts';
import type { ConversationRow, ItemRow } from './store.ts';

type Reason = (typeof conversationReasons)[number];

const readAt = (ctx: TxCtx, reason: Reason) =>
  reason === 'read' ? { readAt: ctx.now.toISOString() } : {};

/**
 * Publishes the whole conversation to everyone who sees its number, so that no client has to fetch
 * it.
 */
export async function publishConversationUpdated(
  ctx: TxCtx,
  reason: Reason,
  conversation: ConversationRow,
  item?: ItemRow,
): Promise<void> {
  const shown = firstOf(await presentConversations(ctx, [conversation]));
  const [shownItem] = item ? await presentItems(ctx, [item]) : [];
  await ctx.publish(
    conversationUpdated,
    {
      conversationId: conversation.id,
      reason,
      conversation: shown,
      ...(shownItem ? { item: shownItem } : {}),
      ...readAt(ctx, reason),
    },
    { numberId: conversation.number_id },
  );
}

/** The same for many conversations, each with its item when it has one. */
export async function publishConversationsUpdated(
  ctx: TxCtx,
  reason: Reason,
  conversations: readonly ConversationRow[],
  items?: readonly PresentableItem[],
  context: PresentContext = {},
): Promise<void> {
  const shown = new Map(
    (await presentConversations(ctx, conversations, context)).map((c) => [c.id, c]),
  );
  const about =
    items ?? conversations.map((c) => ({ conversation_id: c.id, number_id: c.number_id }));
  const shownItems = items ? await presentItems(ctx, items, context) : [];
  await ctx.publishMany(
    conversationUpdated,
    about.map((one, i) => ({
      data: {
        conversationId: one.conversation_id,
        reason,
        conversation: mustBe(shown.get(one.conversation_id), 'conversation of the item'),
        ...(shownItems[i] ? { item: shownItems[i] } : {}),
        ...readAt(ctx, reason),
      },
      about: { numberId: one.number_id },
    })),
  );
}
