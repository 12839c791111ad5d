import { conversationUpdated, type conversationReasons } from '#contract/conversations';
import type { TxCtx } from '../../platform/context.ts';
import { presentConversations, presentItems } from './present.ts';
import type { ConversationRow, ItemRow } from './store.ts';

type Reason = (typeof conversationReasons)[number];

/** Tell everyone who sees the number what became of a conversation, whole, so that a screen needs no question of its own. */
export async function sayUpdated(ctx: TxCtx, reason: Reason, conversation: ConversationRow, item?: ItemRow): Promise<void> {
  const [shown] = await presentConversations(ctx, [conversation]);
  const [shownItem] = item ? await presentItems(ctx, [item]) : [];
  await ctx.say(conversationUpdated, { conversationId: conversation.id, reason, conversation: shown!, ...(shownItem ? { item: shownItem } : {}) }, { numberId: conversation.number_id });
}

/** The same for many at once. */
export async function sayAllUpdated(ctx: TxCtx, reason: Reason, conversations: readonly ConversationRow[]): Promise<void> {
  const shown = await presentConversations(ctx, conversations);
  for (const [i, row] of conversations.entries()) await ctx.say(conversationUpdated, { conversationId: row.id, reason, conversation: shown[i]! }, { numberId: row.number_id });
}
