import type { Body } from '#contract';
import type { Item, scheduleMessage as said } from '#contract/conversations';
import type { Upload } from '../../platform/answer.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { refuse } from '../../platform/refuse.ts';
import { addItem } from './add-item.ts';
import { findRecipient } from './find-recipient.ts';
import { keepMedia, readyMedia } from './keep-media.ts';
import { mustBeTextable } from './may-text.ts';
import { presentItems } from './present.ts';
import { segmentsOf, whyNotAt } from './rules.ts';

export async function scheduleMessage(
  ctx: Ctx,
  body: Body<typeof said>,
  files: readonly Upload[],
): Promise<{ data: Item }> {
  const content = body.message.trim();
  if (!content && !files.length) refuse('message.empty');
  const sendAt = new Date(body.shouldBeSentAt);
  const why = whyNotAt(sendAt, ctx.now);
  if (why) refuse(why);
  const to = await ctx.transaction((t) => findRecipient(t, body));
  const ready = await readyMedia(files, to.number.number);
  return ctx.transaction(async (t) => {
    await mustBeTextable(t, to.number.id, to.party);
    const planned = await addItem(t, {
      numberId: to.number.id,
      party: to.party,
      kind: 'scheduledmessage',
      isInbound: false,
      at: t.now,
      aside: true,
      text: content,
      details: {
        content,
        media: await keepMedia(t, ready),
        ...segmentsOf(content),
        sendAt: sendAt.toISOString(),
        state: 'pending',
        cancelIfReply: body.cancelIfReply,
        because: null,
        clientKey: body.clientKey ?? null,
      },
    });
    await enqueueScheduled(t, planned!.item.id, sendAt);
    return { data: (await presentItems(t, [planned!.item]))[0]! };
  });
}

/** One waiting job a scheduled text; a new time replaces it. */
export const enqueueScheduled = (ctx: TxCtx, itemId: number, runAt: Date) =>
  ctx.enqueue(
    'conversations.sendScheduled',
    { itemId },
    { key: `scheduled:${ctx.companyId}:${itemId}`, runAt },
  );
