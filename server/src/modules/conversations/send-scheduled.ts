import { errorCodeOfReason } from '#contract/compliance/rules';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { lockOptOut } from '../compliance/index.ts';
import { textBlockReasonFor } from './textable.ts';
import type { StoredMedia } from './item-details.ts';
import { queueText } from './queue-text.ts';
import { publishConversationUpdated } from './publish-conversation-updated.ts';
import { enqueueScheduled } from './schedule-message.ts';
import { conversationById, type ItemRow } from './store.ts';
import { updateItem, itemById } from './store-items.ts';

export interface ScheduledMessage {
  content: string;
  media: StoredMedia[];
  sendAt: string;
  state: 'pending' | 'sent' | 'canceled' | 'failed';
  cancelIfReply: boolean;
  because: string | null;
  clientKey: string | null;
}

/**
 * A scheduled text is due: it becomes an ordinary text, or is marked with the reason why not.
 * Idempotent: only a pending one is sent.
 */
export async function sendScheduled(ctx: Ctx, job: { itemId: number }): Promise<void> {
  await ctx.transaction(async (t) => {
    const seen = await itemById(t.tx, t.companyId, job.itemId);
    const party =
      seen && (await conversationById(t.tx, t.companyId, seen.conversation_id, null))?.party;
    if (party) await lockOptOut(t.tx, t.companyId, party, 'to_send');
    const conversation =
      seen && (await conversationById(t.tx, t.companyId, seen.conversation_id, null, true));
    if (!conversation) return;
    const item = await itemById(t.tx, t.companyId, job.itemId, true);
    const plan = item?.details as ScheduledMessage | undefined;
    if (!item || item.kind !== 'scheduledmessage' || plan?.state !== 'pending') return;
    const due = new Date(plan.sendAt);
    if (due > t.now) return enqueueScheduled(t, item.id, due); // Rescheduled meanwhile.
    const reason = await textBlockReasonFor(t, item.number_id, conversation.party);
    if (reason)
      return updateScheduled(t, item, { state: 'failed', because: errorCodeOfReason[reason] });
    await updateScheduled(t, item, { state: 'sent', because: null });
    // Sent with its author's permissions, though a timer sends it.
    const author: TxCtx = {
      ...t,
      actor: { ...t.actor, userId: item.actor_id ?? 0, name: item.actor_name ?? '' },
    };
    await queueText(author, {
      numberId: item.number_id,
      party: conversation.party,
      content: plan.content,
      media: plan.media,
      source: `scheduled:${item.id}`,
    });
  });
}

/** Stores the scheduled text's result and publishes it. */
async function updateScheduled(
  ctx: TxCtx,
  item: ItemRow,
  patch: Partial<ScheduledMessage>,
): Promise<void> {
  const changed = await updateItem(ctx.tx, ctx.companyId, item.id, {
    details: JSON.stringify({ ...(item.details as ScheduledMessage), ...patch }),
  });
  const conversation = await conversationById(ctx.tx, ctx.companyId, item.conversation_id, null);
  if (conversation) await publishConversationUpdated(ctx, 'item_updated', conversation, changed);
}
