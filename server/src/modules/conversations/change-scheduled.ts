import type { Body } from '#contract';
import type { Item, changeScheduled as said } from '#contract/conversations';
import type { TxCtx } from '../../platform/context.ts';
import { missing, refuse } from '../../platform/refuse.ts';
import { audit } from '../../platform/audit.ts';
import { presentItems } from './present.ts';
import { segmentsOf, whyNotAt } from './rules.ts';
import { sayUpdated } from './say-updated.ts';
import { enqueueScheduled } from './schedule-message.ts';
import type { Plan } from './send-scheduled.ts';
import { conversationById } from './store.ts';
import { changeItem, itemById } from './store-items.ts';

/** Change or cancel a scheduled text until it is being sent. The row is locked, so that the clock and the person cannot both win. */
export async function changeScheduled(
  ctx: TxCtx,
  at: { id: number; itemId: number },
  body: Body<typeof said>,
): Promise<{ data: Item }> {
  const conversation =
    (await conversationById(ctx.tx, ctx.companyId, at.id, ctx.numbers, true)) ?? missing();
  const item = await itemById(ctx.tx, ctx.companyId, at.itemId, true);
  if (!item || item.conversation_id !== conversation.id) missing();
  const plan = item.details as Plan;
  if (item.kind !== 'scheduledmessage' || plan.state !== 'pending') refuse('message.not_scheduled');
  const next: Plan = { ...plan };
  if (body.message !== undefined) {
    next.content = body.message.trim();
    if (!next.content && !plan.media.length) refuse('message.empty');
    Object.assign(next, segmentsOf(next.content));
  }
  if (body.shouldBeSentAt !== undefined) {
    const sendAt = new Date(body.shouldBeSentAt);
    const why = whyNotAt(sendAt, ctx.now);
    if (why) refuse(why);
    next.sendAt = sendAt.toISOString();
  }
  if (body.cancelIfReply !== undefined) next.cancelIfReply = body.cancelIfReply;
  if (body.state === 'canceled') Object.assign(next, { state: 'canceled', because: 'canceled' });
  const changed = await changeItem(ctx.tx, ctx.companyId, item.id, {
    details: JSON.stringify(next),
    text: next.content,
  });
  if (next.state === 'pending' && next.sendAt !== plan.sendAt)
    await enqueueScheduled(ctx, item.id, new Date(next.sendAt));
  if (next.state === 'canceled') await audit(ctx, 'scheduled.canceled', `item:${item.id}`, {});
  await sayUpdated(ctx, 'item_updated', conversation, changed);
  return { data: (await presentItems(ctx, [changed]))[0]! };
}
