import type { Answer, Body } from '#contract';
import { automaticTextsChanged } from '#contract/conversations/team/events';
import type {
  getAutomaticTexts as reading,
  setAutomaticTexts as setting,
} from '#contract/conversations/team/endpoints';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { hoursOfNumber } from '../../routing/index.ts';
import { numbersByIds } from '../store-numbers.ts';
import { autoTextsOf, companyAutoTexts, upsertAutoTexts } from './store-automatic-texts.ts';

/**
 * A number's texts for after hours and missed calls; null where off. `not_found` when the user may
 * not see the number.
 */
export async function getAutomaticTexts(
  ctx: TxCtx,
  numberId: number,
): Promise<Answer<typeof reading>> {
  if (
    (ctx.numbers && !ctx.numbers.includes(numberId)) ||
    !(await numbersByIds(ctx.tx, ctx.companyId, [numberId])).has(numberId)
  )
    notFound();
  const [row] = await autoTextsOf(ctx.tx, ctx.companyId, [numberId]);
  const now = (await hoursOfNumber(ctx, numberId)).isOpenAt(ctx.now);
  return {
    data: {
      number_id: numberId,
      after_hours: row?.after_hours ?? null,
      text_back: row?.text_back ?? null,
      company: await companyAutoTexts(ctx.tx, ctx.companyId),
      open_now: now.open,
      because: now.because,
    },
  };
}

/** Changes a number's automatic texts. Null or an empty text turns one off; left out, it stays. */
export async function setAutomaticTexts(
  ctx: TxCtx,
  numberId: number,
  body: Body<typeof setting>,
): Promise<Answer<typeof setting>> {
  const { data: before } = await getAutomaticTexts(ctx, numberId);
  const resolve = (said: string | null | undefined, was: string | null) =>
    said === undefined ? was : said || null;
  await upsertAutoTexts(ctx.tx, {
    company_id: ctx.companyId,
    number_id: numberId,
    after_hours: resolve(body.after_hours, before.after_hours),
    text_back: resolve(body.text_back, before.text_back),
    updated_at: ctx.now,
  });
  await ctx.publish(automaticTextsChanged, { numberId }, { numberId });
  return getAutomaticTexts(ctx, numberId);
}
