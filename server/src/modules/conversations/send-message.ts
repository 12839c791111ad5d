import type { Body } from '#contract';
import type { Item } from '#contract/conversations/schemas';
import type { sendMessage as said } from '#contract/conversations/endpoints';
import { firstOf, mustBe } from '../../platform/must-be.ts';
import type { Upload } from '../../platform/routes.ts';
import type { Ctx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { findRecipient } from './find-recipient.ts';
import { storeMedia, prepareMedia } from './media.ts';
import { requireFeaturesOfText, requireTextable } from './textable.ts';
import { presentItems } from './present.ts';
import { queueText } from './queue-text.ts';
import { scheduleMessage } from './schedule-message.ts';

/**
 * Sends a text. Images are prepared between two transactions; whether the party may be texted is
 * checked in the one that stores the text, and again in the one that submits it. `message.empty`
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
  const recipient = await ctx.transaction(async (t) => {
    await requireFeaturesOfText(t, { content, hasMedia: files.length > 0 });
    const found = await findRecipient(t, body);
    await requireTextable(t, found.number.id, found.party); // Checked before the work on images; the check below decides.
    return found;
  });
  const prepared = await prepareMedia(files, recipient.number.number);
  return ctx.transaction(async (t) => {
    await requireTextable(t, recipient.number.id, recipient.party);
    const queued = await queueText(t, {
      numberId: recipient.number.id,
      party: recipient.party,
      content,
      media: await storeMedia(t, prepared),
      clientKey: body.clientKey ?? null,
    });
    const { item } = mustBe(queued, 'the text, which repeats no earlier one');
    return { data: firstOf(await presentItems(t, [item])) };
  });
}
