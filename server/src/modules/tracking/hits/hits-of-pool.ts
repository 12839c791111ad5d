import type { tracking as contract } from '#contract';
import type { Tx } from '../../../platform/db.ts';
import { countsOfPool } from './store.ts';

const DAY_MS = 86_400_000;

/** What pages of a pool sent in the last 24 hours, and what wasn't counted and why. */
export async function hitsOfPool(
  tx: Tx,
  companyId: number,
  poolId: number,
  now: Date,
): Promise<contract.Pool['hits24h']> {
  const since = new Date(now.getTime() - DAY_MS);
  const rows = await countsOfPool(tx, companyId, poolId, since);
  const counted = (kind: string) =>
    rows.find((row) => row.kind === kind && row.reason === '')?.n ?? 0;
  return {
    pageViews: counted('pageview'),
    events: counted('event'),
    dropped: rows.flatMap(({ kind, reason, n }) =>
      reason === '' ? [] : [{ kind, reason, count: n }],
    ),
  };
}
