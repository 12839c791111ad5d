import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { keywordOf } from '../../compliance/index.ts';
import { hoursOfNumber } from '../../routing/index.ts';
import type { InboundText } from '../answer-keyword.ts';
import { textBlockReasonFor } from '../textable.ts';
import { queueAutomaticText } from '../queue-automatic-text.ts';
import { numbersByIds } from '../store-numbers.ts';
import {
  sentAutoText,
  sentAutomaticSince,
  lockLastAutoText,
  upsertAutoTextSent,
  ownNumbersAmong,
} from './store-automatic-texts.ts';
import { afterHoursJob } from './job-kinds.ts';

// The system role: asks the global directory whose a number or a carrier’s object is.

/**
 * Queues a job for each conversation with a new text of a number that replies after hours. Reserved
 * keywords have their own replies.
 */
export async function enqueueAfterHoursReplies(
  t: TxCtx,
  texts: readonly InboundText[],
  isOn: (numberId: number) => boolean,
): Promise<void> {
  for (const text of texts)
    if (isOn(text.numberId) && keywordOf(text.text) === null)
      await t.enqueue(
        afterHoursJob,
        { ...text, at: t.now.toISOString() },
        { key: `after-hours:${t.companyId}:${text.conversationId}`, keyMode: 'preserve_run_at' },
      );
}

/** An inbound text this soon after an automatic one of ours is taken for automatic as well. */
const autoReplyWindowMs = 3000;

/**
 * Sends the after-hours reply, once per conversation and closed period. The period is claimed
 * before sending, so two machines that reply to each other stop after one reply; our own numbers
 * never get one.
 */
export async function sendAfterHoursReply(
  ctx: Ctx,
  text: InboundText & { at: string },
): Promise<void> {
  await ctx.transaction(async (t) => {
    const { numberId, party } = text;
    const at = new Date(text.at);
    const content = await sentAutoText(t.tx, t.companyId, numberId, 'after_hours');
    if (!content || (await ownNumbersAmong(t.db.unscoped, [party])).has(party)) return;
    if (await textBlockReasonFor(t, numberId, party)) return;
    const hours = await hoursOfNumber(t, numberId);
    if (hours.isOpenAt(at).open) return;
    const last = await lockLastAutoText(t.tx, t.companyId, numberId, party, 'after_hours');
    if (last && !hours.openedBetween(last, at)) return;
    if (
      await sentAutomaticSince(
        t.tx,
        t.companyId,
        text.conversationId,
        new Date(at.getTime() - autoReplyWindowMs),
      )
    )
      return;
    await upsertAutoTextSent(t.tx, {
      company_id: t.companyId,
      number_id: numberId,
      party,
      kind: 'after_hours',
      at,
    });
    await queueAutomaticText(t, {
      numberId,
      party,
      content,
      media: [],
      automatic: 'after_hours',
      source: `after-hours:${text.itemId}`,
    });
  });
}

/** Whether numbers reply after hours is cached with the numbers. */
export const hasAfterHoursReply =
  (numbers: Awaited<ReturnType<typeof numbersByIds>>) =>
  (numberId: number): boolean =>
    numbers.get(numberId)?.afterHours ?? false;
