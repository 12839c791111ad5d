import type { Ctx, TxCtx } from '../../platform/context.ts';
import { keywordOf } from '../compliance/index.ts';
import { fireTrigger, matchTriggers } from '../numbers/index.ts';
import { textBlockReasonFor } from './textable.ts';
import { queueText } from './queue-text.ts';

export interface InboundText {
  numberId: number;
  party: string;
  text: string;
  conversationId: number;
  itemId: number;
}

/** Texts came in: a job for each that says a keyword of its number. STOP and the other reserved words are never one (A6.3). */
export async function enqueueKeywordAnswers(
  t: TxCtx,
  texts: readonly InboundText[],
): Promise<void> {
  for (const { text: heard, triggerId } of await matchTriggers(
    t,
    texts.filter((text) => keywordOf(text.text) === null && text.text.trim() !== ''),
  ))
    await t.enqueue(
      'conversations.answerKeyword',
      { ...heard, triggerId },
      { key: `keyword:${t.companyId}:${heard.itemId}` },
    );
}

/**
 * Let the rule do its part and send its answer, once per cooldown. Nobody who is blocked, opted out or cannot be texted is
 * answered. The text it answers names the answer, so a second run finds it there.
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
        'conversations.sendKeywordAnswer',
        { ...text, content: reply.text, media },
        { runAt: reply.notBefore },
      );
      return;
    }
    await queueText(t, {
      numberId: text.numberId,
      party: text.party,
      content: reply.text,
      media,
      automatic: 'keyword',
      source: `keyword:${text.itemId}`,
    });
  });
}

/** The night is over. Whoever opted out meanwhile is not answered. */
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
      await queueText(t, {
        numberId: heard.numberId,
        party: heard.party,
        content,
        media,
        automatic: 'keyword',
        source: `keyword:${heard.itemId}`,
      });
  });
}
