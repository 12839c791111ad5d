import type { Tx } from '../../platform/db.ts';
import { matchesBlock, targetsMatching } from './rules.ts';
import { anyBlockExists, blockRules } from './store.ts';

/**
 * Whether a caller (E.164, or `anonymous`) is blocked on one of our numbers, for calls and texts
 * alike.
 */
export async function isBlocked(
  tx: Tx,
  companyId: number,
  numberId: number,
  from: string,
): Promise<boolean> {
  return matchesBlock(await blockRules(tx, companyId, targetsMatching(from)), numberId, from);
}

/** Same as `isBlocked` for many pairs at once; returns the blocked ones as `numberId:party`. */
export async function blockedPairs(
  tx: Tx,
  companyId: number,
  pairs: readonly { numberId: number; party: string }[],
): Promise<Set<string>> {
  if (!pairs.length) return new Set();
  const rules = await blockRules(tx, companyId, [
    ...new Set(pairs.flatMap((p) => targetsMatching(p.party))),
  ]);
  return new Set(
    rules.length
      ? pairs
          .filter((p) => matchesBlock(rules, p.numberId, p.party))
          .map((p) => `${p.numberId}:${p.party}`)
      : [],
  );
}

/** Whether any rule blocks anyone. Callers with many numbers ask this first to skip the lookup. */
export const hasBlocks = (tx: Tx, companyId: number): Promise<boolean> =>
  anyBlockExists(tx, companyId);
