import type { TxCtx } from '../../platform/context.ts';
import { pausesNow } from '../calls/index.ts';

/**
 * People whose notifications wait: do not disturb, or outside their own hours; null: no end is
 * known. Those whose hours never open take no calls, but do want to hear of texts.
 */
export async function pausedPeople(ctx: TxCtx): Promise<ReadonlyMap<number, Date | null>> {
  return new Map(
    [...(await pausesNow(ctx))].flatMap(([userId, { reason, until }]) =>
      reason === 'outside_hours' && until === null
        ? []
        : [[userId, until === null ? null : new Date(until)] as const],
    ),
  );
}

/** The later of two times; null: neither. */
export const laterOf = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one > other ? one : other) : (one ?? other);
