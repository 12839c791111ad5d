import type { Body } from '#contract';
import type { Item } from '#contract/conversations/schemas';
import type { sendMessage as said } from '#contract/conversations/endpoints';
import { firstOf, mustBe } from '../../platform/must-be.ts';
import type { Upload } from '../../platform/routes.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { findRecipient, type MessageRecipient } from './find-recipient.ts';
import { storeMedia, prepareMedia, type PreparedFile } from './media.ts';
import { requireFeaturesOfText, requireTextable } from './textable.ts';
import { presentItems } from './present.ts';
import { queueText } from './queue-text.ts';
import { scheduleMessage } from './schedule-message.ts';

/**
 * Sends a text. Images are prepared between two transactions; whether the party may be texted is
 * checked in each, and again in the one that submits it. `message.empty`
 * without text and files.
 */
export async function sendMessage(
  ctx: Ctx,
  body: Body<typeof said>,
  files: readonly Upload[],
): Promise<{ data: Item }> {
  if (body.shouldBeSentAt)
    return scheduleMessage(
      ctx,
      { ...body, shouldBeSentAt: body.shouldBeSentAt, cancelIfReply: false },
      files,
    );
  const content = body.message.trim();
  if (!content && !files.length) fail('message.empty');
  const check = async (t: TxCtx): Promise<MessageRecipient> => {
    await requireFeaturesOfText(t, { content, hasMedia: files.length > 0 });
    const found = await findRecipient(t, body);
    await requireTextable(t, found.number.id, found.party);
    return found;
  };
  const queue = async (
    t: TxCtx,
    { number, party }: MessageRecipient,
    images: readonly PreparedFile[],
  ): Promise<{ data: Item }> => {
    const queued = await queueText(t, {
      ...{ numberId: number.id, party, content },
      media: await storeMedia(t, images),
      clientKey: body.clientKey ?? null,
    });
    const { item } = mustBe(queued, 'the text, which repeats no earlier one');
    return { data: firstOf(await presentItems(t, [item])) };
  };
  if (!files.length) return ctx.transaction(async (t) => queue(t, await check(t), []));
  const recipient = await ctx.transaction(check);
  const prepared = await prepareMedia(files, recipient.number.number);
  return ctx.transaction(async (t) => {
    await requireTextable(t, recipient.number.id, recipient.party); // This decides, and the one before saves the work.
    return queue(t, recipient, prepared);
  });
}
