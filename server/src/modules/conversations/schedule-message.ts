import type { Body } from '#contract';
import type { Item } from '#contract/conversations/schemas';
import type { scheduleMessage as said } from '#contract/conversations/endpoints';
import { firstOf, mustBe } from '../../platform/must-be.ts';
import type { Upload } from '../../platform/routes.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { appendItem } from './append-item.ts';
import { findRecipient } from './find-recipient.ts';
import { storeMedia, prepareMedia } from './media.ts';
import { requireFeaturesOfText, requireTextable } from './textable.ts';
import { presentItems } from './present.ts';
import { segmentsOf } from '../messaging/index.ts';
import { scheduleProblem } from './rules.ts';
import { sendScheduledJob } from './job-kinds.ts';

/**
 * Stores a text to be sent at a time. Fails when it is empty, the time is past or too far away, or
 * the recipient can't be texted.
 */
export async function scheduleMessage(
  ctx: Ctx,
  body: Body<typeof said>,
  files: readonly Upload[],
): Promise<{ data: Item }> {
  const content = body.message.trim();
  if (!content && !files.length) fail('message.empty');
  const sendAt = new Date(body.shouldBeSentAt);
  const problem = scheduleProblem(sendAt, ctx.now);
  if (problem) fail(problem);
  const recipient = await ctx.transaction(async (t) => {
    await requireFeaturesOfText(t, { content, hasMedia: files.length > 0 });
    return findRecipient(t, body);
  });
  const prepared = await prepareMedia(files, recipient.number.number);
  return ctx.transaction(async (t) => {
    await requireTextable(t, recipient.number.id, recipient.party);
    const added = await appendItem(t, {
      numberId: recipient.number.id,
      party: recipient.party,
      kind: 'scheduledmessage',
      isInbound: false,
      at: t.now,
      excludedFromLatest: true,
      text: content,
      details: {
        content,
        media: await storeMedia(t, prepared),
        ...segmentsOf(content),
        sendAt: sendAt.toISOString(),
        state: 'pending',
        cancelIfReply: body.cancelIfReply,
        because: null,
        clientKey: body.clientKey ?? null,
      },
    });
    const { item } = mustBe(added, 'the text, which repeats no earlier one');
    await enqueueScheduled(t, item.id, sendAt);
    return { data: firstOf(await presentItems(t, [item])) };
  });
}

/** One waiting job per scheduled text; a new time replaces it. */
export const enqueueScheduled = (ctx: TxCtx, itemId: number, runAt: Date) =>
  ctx.enqueue(sendScheduledJob, { itemId }, { key: `scheduled:${ctx.companyId}:${itemId}`, runAt });
