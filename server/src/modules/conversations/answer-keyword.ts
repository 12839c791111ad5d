import type { Ctx, TxCtx } from '../../platform/context.ts';
import { keywordOf } from '../compliance/index.ts';
import { answerOfTrigger, triggersHeard } from '../numbers/index.ts';
import { whyNot } from './may-text.ts';
import { queueText } from './queue-text.ts';

export interface Heard {
  numberId: number;
  party: string;
  text: string;
  conversationId: number;
  itemId: number;
}

/** Texts came in: a job for each that says a keyword of its number. STOP and the other reserved words are never one (A6.3). */
export async function wakeTriggers(t: TxCtx, texts: readonly Heard[]): Promise<void> {
  for (const { text: heard, triggerId } of await triggersHeard(
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
export async function answerKeyword(ctx: Ctx, heard: Heard & { triggerId: number }): Promise<void> {
  await ctx.transaction(async (t) => {
    if (await whyNot(t, heard.numberId, heard.party)) return;
    const answer = await answerOfTrigger(t, heard);
    if (!answer) return;
    const media = answer.media.map((file) => ({
      fileId: file.file_id,
      type: file.type,
      bytes: file.bytes,
      name: file.name,
    }));
    if (answer.notBefore) {
      await t.enqueue(
        'conversations.sendKeywordAnswer',
        { ...heard, content: answer.text, media },
        { runAt: answer.notBefore },
      );
      return;
    }
    await queueText(t, {
      numberId: heard.numberId,
      party: heard.party,
      content: answer.text,
      media,
      automatic: 'keyword',
      source: `keyword:${heard.itemId}`,
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
  }: Heard & {
    content: string;
    media: { fileId: number; type: string; bytes: number; name: string }[];
  },
): Promise<void> {
  await ctx.transaction(async (t) => {
    if (!(await whyNot(t, heard.numberId, heard.party)))
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
