import type { Body } from '#contract';
import type { Item, sendMessage as said } from '#contract/conversations';
import type { Upload } from '../../platform/answer.ts';
import type { Ctx } from '../../platform/context.ts';
import { refuse } from '../../platform/refuse.ts';
import { findRecipient } from './find-recipient.ts';
import { keepMedia, readyMedia } from './keep-media.ts';
import { mustBeTextable } from './may-text.ts';
import { presentItems } from './present.ts';
import { queueText } from './queue-text.ts';
import { scheduleMessage } from './schedule-message.ts';

/**
 * Send a text. Pictures are prepared between two transactions; whether the party may be texted is asked in the one that
 * stores the text, and again in the one that hands it over.
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
  if (!content && !files.length) refuse('message.empty');
  const to = await ctx.transaction(async (t) => {
    const found = await findRecipient(t, body);
    await mustBeTextable(t, found.number.id, found.party); // before the work on pictures; the answer that counts comes below
    return found;
  });
  const ready = await readyMedia(files, to.number.number);
  return ctx.transaction(async (t) => {
    await mustBeTextable(t, to.number.id, to.party);
    const queued = await queueText(t, {
      numberId: to.number.id,
      party: to.party,
      content,
      media: await keepMedia(t, ready),
      clientKey: body.clientKey ?? null,
    });
    return { data: (await presentItems(t, [queued!.item]))[0]! };
  });
}
