import type { Body } from '#contract';
import type { Item } from '#contract/conversations/schemas';
import type { changeScheduled as said } from '#contract/conversations/endpoints';
import type { TxCtx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { audit } from '../../platform/audit.ts';
import { firstOf } from '../../platform/must-be.ts';
import { presentItems } from './present.ts';
import { segmentsOf } from '../messaging/index.ts';
import { scheduleProblem } from './rules.ts';
import { publishConversationUpdated } from './publish-conversation-updated.ts';
import { enqueueScheduled } from './schedule-message.ts';
import type { ScheduledMessage } from './send-scheduled.ts';
import { conversationById } from './store.ts';
import { updateItem, itemById } from './store-items.ts';

/**
 * Changes or cancels a scheduled text until it is being sent. The row is locked, so that the timer
 * and the user can't both win. `message.not_scheduled` once it is being sent; fails too for an
 * empty text or a time out of range.
 */
export async function changeScheduled(
  ctx: TxCtx,
  ids: { id: number; itemId: number },
  body: Body<typeof said>,
): Promise<{ data: Item }> {
  const conversation =
    (await conversationById(ctx.tx, ctx.companyId, ids.id, ctx.numbers, true)) ?? notFound();
  const item = await itemById(ctx.tx, ctx.companyId, ids.itemId, true);
  if (!item || item.conversation_id !== conversation.id) notFound();
  const scheduled = item.details as ScheduledMessage;
  if (item.kind !== 'scheduledmessage' || scheduled.state !== 'pending')
    fail('message.not_scheduled');
  const next: ScheduledMessage = { ...scheduled };
  if (body.message !== undefined) {
    next.content = body.message.trim();
    if (!next.content && !scheduled.media.length) fail('message.empty');
    Object.assign(next, segmentsOf(next.content));
  }
  if (body.shouldBeSentAt !== undefined) {
    const sendAt = new Date(body.shouldBeSentAt);
    const problem = scheduleProblem(sendAt, ctx.now);
    if (problem) fail(problem);
    next.sendAt = sendAt.toISOString();
  }
  if (body.cancelIfReply !== undefined) next.cancelIfReply = body.cancelIfReply;
  if (body.state === 'canceled') Object.assign(next, { state: 'canceled', because: 'canceled' });
  const changed = await updateItem(ctx.tx, ctx.companyId, item.id, {
    details: JSON.stringify(next),
    text: next.content,
  });
  if (next.state === 'pending' && next.sendAt !== scheduled.sendAt)
    await enqueueScheduled(ctx, item.id, new Date(next.sendAt));
  if (next.state === 'canceled') await audit(ctx, 'scheduled.canceled', `item:${item.id}`, {});
  await publishConversationUpdated(ctx, 'item_updated', conversation, changed);
  return { data: firstOf(await presentItems(ctx, [changed])) };
}
