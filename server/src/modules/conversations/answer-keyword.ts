import type { Ctx, TxCtx } from '../../platform/context.ts';
import { keywordOf } from '../compliance/index.ts';
import { fireTrigger, matchTriggers } from '../numbers/index.ts';
import { textBlockReasonFor } from './textable.ts';
import { queueAutomaticText } from './queue-automatic-text.ts';
import { answerKeywordJob, sendKeywordAnswerJob } from './job-kinds.ts';

export interface InboundText {
  numberId: number;
  party: string;
  text: string;
  conversationId: number;
  itemId: number;
}

/**
 * Queues a job for each inbound text with a keyword of its number. STOP and other reserved words
 * never are one (A6.3).
 */
export async function enqueueKeywordAnswers(
  t: TxCtx,
  texts: readonly InboundText[],
): Promise<void> {
  for (const { text: heard, triggerId } of await matchTriggers(
    t,
    texts.filter((text) => keywordOf(text.text) === null && text.text.trim() !== ''),
  ))
    await t.enqueue(
      answerKeywordJob,
      { ...heard, triggerId },
      { key: `keyword:${t.companyId}:${heard.itemId}` },
    );
}

/**
 * Applies the keyword rule and queues its answer, once per cooldown. Who is blocked, opted out or
 * can't be texted gets none. The answer's `source` is the text, so a second run adds nothing.
 */
export async function answerKeyword(
  ctx: Ctx,
  text: InboundText & { triggerId: number },
): Promise<void> {
  await ctx.transaction(async (t) => {
    if (await textBlockReasonFor(t, text.numberId, text.party)) return;
    const reply = await fireTrigger(t, text);
    if (!reply) return;
    const media = reply.media.map((file) => ({
      fileId: file.file_id,
      type: file.type,
      bytes: file.bytes,
      name: file.name,
    }));
    if (reply.notBefore) {
      await t.enqueue(
        sendKeywordAnswerJob,
        { ...text, content: reply.text, media },
        { runAt: reply.notBefore },
      );
      return;
    }
    await queueAutomaticText(t, {
      numberId: text.numberId,
      party: text.party,
      content: reply.text,
      media,
      automatic: 'keyword',
      source: `keyword:${text.itemId}`,
    });
  });
}

/** Sends an answer that waited for quiet hours to end. Who opted out meanwhile gets none. */
export async function sendKeywordAnswer(
  ctx: Ctx,
  {
    content,
    media,
    ...heard
  }: InboundText & {
    content: string;
    media: { fileId: number; type: string; bytes: number; name: string }[];
  },
): Promise<void> {
  await ctx.transaction(async (t) => {
    if (!(await textBlockReasonFor(t, heard.numberId, heard.party)))
      await queueAutomaticText(t, {
        numberId: heard.numberId,
        party: heard.party,
        content,
        media,
        automatic: 'keyword',
        source: `keyword:${heard.itemId}`,
      });
  });
}
