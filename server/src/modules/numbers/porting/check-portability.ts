import {
  areaCodeOf,
  formatPhone,
  isTollFree,
  porting as contract,
  refusalText,
  type Answer,
} from '#contract';
import { areaCodes } from '#contract/area-codes';
import type { Ctx } from '../../../platform/context.ts';
import { refuse } from '../../../platform/refuse.ts';
import { CarrierRefused } from '../../../ports/carrier.ts';
import { directoryEntries } from '../store-holds.ts';
import { todayOf } from './present.ts';
import { areMixed, portTypeOf } from './rules.ts';
import { heldAmong } from './store.ts';

export interface Checked {
  number: string;
  type: 1 | 2 | 3;
  portable: boolean;
  reason: string | null;
  losing_carrier: string | null;
}

/** Ask the carrier about numbers, each once. Those that are here already, or that nobody moves, are told apart first. Outside any transaction. */
export async function checkNumbers(ctx: Ctx, wanted: readonly string[]): Promise<Checked[]> {
  const numbers = [...new Set(wanted)];
  const ours = await ctx.transaction((t) => heldAmong(t.tx, t.companyId, numbers));
  const held = await ctx.db.system((tx) => directoryEntries(tx, numbers));
  const whyNot = (number: string): string | null => {
    if (ours.has(number)) return 'it is one of your numbers already';
    if (!isTollFree(number) && !areaCodes().has(areaCodeOf(number) ?? ''))
      return 'only local and toll-free numbers of the United States and Canada can';
    return held.has(number) ? 'it belongs to another account here' : null;
  };
  const asked = numbers.filter((n) => whyNot(n) === null);
  const answers =
    asked.length === 0
      ? []
      : await ctx.ports.carriers.porter.check(asked).catch((error: unknown) => {
          ctx.log.warn({ err: error }, 'a portability check failed');
          if (error instanceof CarrierRefused) refuse('carrier.refused', { reason: error.message });
          return refuse('carrier.unreachable');
        });
  const known = new Map(answers.map((a) => [a.number, a]));
  return numbers.map((number) => {
    const found = known.get(number);
    const reason = whyNot(number);
    if (reason)
      return { number, type: portTypeOf(number), portable: false, reason, losing_carrier: null };
    return {
      number,
      type: portTypeOf(number),
      portable: found?.portable ?? false,
      reason: found ? found.reason : 'the carrier does not know it',
      losing_carrier: found?.losingCarrier ?? null,
    };
  });
}

export async function checkPortability(
  ctx: Ctx,
  numbers: readonly string[],
): Promise<Answer<typeof contract.checkPortability>> {
  const checked = await checkNumbers(ctx, numbers);
  const type = checked[0]?.type ?? 1;
  return {
    data: {
      numbers: checked.map((n) => ({
        ...n,
        formatted: formatPhone(n.number),
        sentence: n.portable
          ? null
          : refusalText('port.not_portable', {
              number: formatPhone(n.number),
              reason: n.reason ?? '',
            }),
      })),
      mixed: areMixed(checked.map((n) => n.number)),
      earliest_date: contract.earliestPortDay(await ctx.transaction((t) => todayOf(t)), type),
    },
  };
}
