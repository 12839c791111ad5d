import { analytics as contract, type Answer, type Body } from '#contract';
import { changeOf, type PeriodFigures } from '#contract/analytics';
import type { TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { callFigures } from '../calls/index.ts';
import { isKnownZone } from '../companies/index.ts';
import { countTextsBetween } from '../conversations/index.ts';

const DAY = 86_400_000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
interface Days {
  start: string;
  end: string;
}
/** As many days, just before. */
export function daysBefore({ start, end }: Days): Days {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  return { start: dayOf(from - (to - from) - DAY), end: dayOf(from - DAY) };
}

export async function callKpi(
  ctx: TxCtx,
  { currentRange, previousRange, tz }: Body<typeof contract.callKpi>,
): Promise<Answer<typeof contract.callKpi>> {
  // Names only: the database reads the sign of an offset the other way round.
  if (!isKnownZone(tz)) invalid({ tz: 'Choose a time zone from the list.' });
  const periodFigures = async (range: Days): Promise<PeriodFigures> => {
    const days = { ...range, tz };
    const calls = await callFigures(ctx.tx, ctx.companyId, days, ctx.numbers);
    const callable = calls.total - calls.blocked;
    return {
      ...calls,
      answer_rate: callable === 0 ? 0 : Math.round((1000 * calls.answered) / callable) / 10,
      messages: await countTextsBetween(ctx.tx, ctx.companyId, days, ctx.numbers),
    };
  };
  const current = await periodFigures(currentRange);
  const previous = await periodFigures(previousRange ?? daysBefore(currentRange));
  return { data: { current, previous, change: changeOf(current, previous) } };
}
