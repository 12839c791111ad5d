import {
  areaCodeOf,
  formatPhone,
  isTollFree,
  porting as contract,
  apiErrorText,
  type Answer,
} from '#contract';
import { areaCodes } from '#contract/area-codes';
import type { Ctx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { CarrierRejectedError } from '../../gateways/carrier.ts';
import { directoryEntries } from '../numbers/index.ts';
import { todayOf } from './present.ts';
import { areTypesMixed, portTypeOf } from './rules.ts';
import { ownNumbersAmong } from './store.ts';

// The system role: asks the global directory whose a number or a carrier’s object is.

/** `reason` completes the sentence why a number can't be ported; null if it can. */
export interface PortabilityResult {
  number: string;
  type: 1 | 2 | 3;
  portable: boolean;
  reason: string | null;
  losing_carrier: string | null;
}

/**
 * Asks the carrier whether numbers can be ported, each once. Numbers that are already here or of no
 * supported type are answered without asking. Call outside any transaction.
 */
export async function checkNumbers(
  ctx: Ctx,
  requested: readonly string[],
): Promise<PortabilityResult[]> {
  const numbers = [...new Set(requested)];
  const ownNumbers = await ctx.transaction((t) => ownNumbersAmong(t.tx, t.companyId, numbers));
  const directory = await ctx.db.systemTransaction((tx) => directoryEntries(tx, numbers));
  const localProblem = (number: string): string | null => {
    if (ownNumbers.has(number)) return 'it’s already one of your numbers';
    if (!isTollFree(number) && !areaCodes().has(areaCodeOf(number) ?? ''))
      return 'only local and toll-free numbers in the United States and Canada can be ported';
    return directory.has(number) ? 'it belongs to another account' : null;
  };
  const toCheck = numbers.filter((n) => localProblem(n) === null);
  const answers =
    toCheck.length === 0
      ? []
      : await ctx.gateways.carriers.portingProvider
          .checkPortability(toCheck)
          .catch((error: unknown) => {
            ctx.log.warn({ err: error }, 'a portability check failed');
            if (error instanceof CarrierRejectedError)
              fail('carrier.refused', { reason: error.message });
            return fail('carrier.unreachable');
          });
  const known = new Map(answers.map((a) => [a.number, a]));
  return numbers.map((number) => {
    const found = known.get(number);
    const reason = localProblem(number);
    if (reason)
      return { number, type: portTypeOf(number), portable: false, reason, losing_carrier: null };
    return {
      number,
      type: portTypeOf(number),
      portable: found?.portable ?? false,
      reason: found ? found.reason : 'the carrier doesn’t recognize it',
      losing_carrier: found?.losingCarrier ?? null,
    };
  });
}

/** Checks numbers for the port form. Throws carrier.refused and carrier.unreachable. */
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
          : apiErrorText('port.not_portable', {
              number: formatPhone(n.number),
              reason: n.reason ?? '',
            }),
      })),
      mixed: areTypesMixed(checked.map((n) => n.number)),
      earliest_date: contract.earliestPortDay(await ctx.transaction((t) => todayOf(t)), type),
    },
  };
}
