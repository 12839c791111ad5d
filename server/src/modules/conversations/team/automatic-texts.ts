import type { Answer, Body } from '#contract';
import {
  automaticTextsChanged,
  type getAutomaticTexts as reading,
  type setAutomaticTexts as setting,
} from '#contract/teamwork';
import type { TxCtx } from '../../../platform/context.ts';
import { missing } from '../../../platform/refuse.ts';
import { hoursOfNumber } from '../../routing/index.ts';
import { numbersById } from '../store.ts';
import { autoTextsOf, putAutoTexts } from './store.ts';

export async function getAutomaticTexts(
  ctx: TxCtx,
  numberId: number,
): Promise<Answer<typeof reading>> {
  if (
    (ctx.numbers && !ctx.numbers.includes(numberId)) ||
    !(await numbersById(ctx.tx, ctx.companyId, [numberId])).has(numberId)
  )
    missing();
  const [row] = await autoTextsOf(ctx.tx, ctx.companyId, [numberId]);
  const now = (await hoursOfNumber(ctx, numberId)).at(ctx.now);
  return {
    data: {
      number_id: numberId,
      after_hours: row?.after_hours ?? null,
      text_back: row?.text_back ?? null,
      open_now: now.open,
      because: now.because,
    },
  };
}

export async function setAutomaticTexts(
  ctx: TxCtx,
  numberId: number,
  body: Body<typeof setting>,
): Promise<Answer<typeof setting>> {
  const { data: before } = await getAutomaticTexts(ctx, numberId);
  const next = (said: string | null | undefined, was: string | null) =>
    said === undefined ? was : said || null;
  await putAutoTexts(ctx.tx, {
    company_id: ctx.companyId,
    number_id: numberId,
    after_hours: next(body.after_hours, before.after_hours),
    text_back: next(body.text_back, before.text_back),
    updated_at: ctx.now,
  });
  await ctx.say(automaticTextsChanged, { numberId }, { numberId });
  return getAutomaticTexts(ctx, numberId);
}
