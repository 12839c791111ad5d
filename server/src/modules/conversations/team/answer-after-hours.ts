import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { keywordOf } from '../../compliance/index.ts';
import { hoursOfNumber } from '../../routing/index.ts';
import type { Heard } from '../answer-keyword.ts';
import { whyNot } from '../may-text.ts';
import { queueText } from '../queue-text.ts';
import { numbersById } from '../store.ts';
import { autoTextsOf, automaticSince, holdTurn, noteTurn, oursAmong } from './store.ts';

/** Texts came in: a job for each conversation of a number that answers after hours. Reserved words have answers of their own. */
export async function wakeAfterHours(
  t: TxCtx,
  texts: readonly Heard[],
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

/** A text that follows one of ours which nobody wrote this soon was written by nobody either. */
const machineMs = 3000;

/**
 * The number is closed: say so, once a conversation and closed period. Two machines that answer each other stop here at the
 * first answer, because the period is claimed before it is sent; a number of ours is never answered at all.
 */
export async function answerAfterHours(ctx: Ctx, heard: Heard & { at: string }): Promise<void> {
  await ctx.transaction(async (t) => {
    const { numberId, party } = heard;
    const at = new Date(heard.at);
    const content = (await autoTextsOf(t.tx, t.companyId, [numberId]))[0]?.after_hours;
    if (!content || (await oursAmong(t.db.directory, [party])).has(party)) return;
    if (await whyNot(t, numberId, party)) return;
    const hours = await hoursOfNumber(t, numberId);
    if (hours.at(at).open) return;
    const last = await holdTurn(t.tx, t.companyId, numberId, party, 'after_hours');
    if (last && !hours.opened(last, at)) return;
    if (
      await automaticSince(
        t.tx,
        t.companyId,
        heard.conversationId,
        new Date(at.getTime() - machineMs),
      )
    )
      return;
    await noteTurn(t.tx, {
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
      source: `after-hours:${heard.itemId}`,
    });
  });
}

/** Which of these numbers answer after hours is known with the numbers themselves. */
export const onAmong =
  (numbers: Awaited<ReturnType<typeof numbersById>>) =>
  (numberId: number): boolean =>
    numbers.get(numberId)?.afterHours ?? false;
