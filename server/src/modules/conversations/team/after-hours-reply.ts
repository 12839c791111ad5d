import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { keywordOf } from '../../compliance/index.ts';
import { hoursOfNumber } from '../../routing/index.ts';
import type { InboundText } from '../answer-keyword.ts';
import { textBlockReasonFor } from '../textable.ts';
import { queueText } from '../queue-text.ts';
import { numbersByIds } from '../store.ts';
import {
  autoTextsOf,
  sentAutomaticSince,
  lockLastAutoText,
  upsertAutoTextSent,
  ownNumbersAmong,
} from './store.ts';

/**
 * Queues a job for each conversation of a number that answers after hours. Reserved words have
 * their own confirmations.
 */
export async function enqueueAfterHoursReplies(
  t: TxCtx,
  texts: readonly InboundText[],
  isOn: (numberId: number) => boolean,
): Promise<void> {
  for (const text of texts)
    if (isOn(text.numberId) && keywordOf(text.text) === null)
      await t.enqueue(
        'conversations.afterHours',
        { ...text, at: t.now.toISOString() },
        { key: `after-hours:${t.companyId}:${text.conversationId}`, keyMode: 'preserve_run_at' },
      );
}

/** A text this soon after an automatic one of ours is taken for automatic, too. */
const autoReplyWindowMs = 3000;

/**
 * Replies that the number is closed, once per conversation and closed period. Two machines that
 * answer each other stop after the first reply, because the period is claimed before it is queued;
 * numbers of this installation are never answered.
 */
export async function sendAfterHoursReply(
  ctx: Ctx,
  text: InboundText & { at: string },
): Promise<void> {
  await ctx.transaction(async (t) => {
    const { numberId, party } = text;
    const at = new Date(text.at);
    const content = (await autoTextsOf(t.tx, t.companyId, [numberId]))[0]?.after_hours;
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
    await queueText(t, {
      numberId,
      party,
      content,
      media: [],
      automatic: 'after_hours',
      source: `after-hours:${text.itemId}`,
    });
  });
}

/** Whether a number answers after hours. */
export const hasAfterHoursReply =
  (numbers: Awaited<ReturnType<typeof numbersByIds>>) =>
  (numberId: number): boolean =>
    numbers.get(numberId)?.afterHours ?? false;
