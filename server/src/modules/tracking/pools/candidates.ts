import type { Tx } from '../../../platform/db.ts';
import { numberRecord } from '../../numbers/index.ts';
import { classify } from '../classification/classify.ts';
import { knownSystemSources } from '../classification/system-sources.ts';
import type { KnownSource, Landing } from '../classification/types.ts';
import { staticNumber, type PoolForChoice } from './choose-pool.ts';
import { allPools, type PoolRecord } from './store.ts';
import { slotsOf } from './store-slots.ts';

/** A pool with what the choice, the classification and the number of a visit need. */
export interface Candidate extends PoolForChoice {
  settings: PoolRecord['settings'];
  defaultNumberId: number | null;
  numbers: readonly string[];
}
interface Scope {
  tx: Tx;
  companyId: number;
  now: Date;
}

/** The company's pools, the oldest first; those of a stored row have an ID. */
export async function candidatesOf({
  tx,
  companyId,
  now,
}: Scope): Promise<(Candidate & { id: number })[]> {
  const pools = await allPools(tx, companyId);
  const ids = pools.map(({ id }) => id);
  const slots = await slotsOf(tx, companyId, ids, null, now);
  return pools.map((pool) => {
    const numbers = slots.filter(({ pool_id }) => pool_id === pool.id).map(({ number }) => number);
    return {
      id: pool.id,
      name: pool.name,
      status: pool.status,
      mode: pool.mode,
      sourceIds: pool.source_ids,
      size: numbers.length,
      settings: pool.settings,
      defaultNumberId: pool.default_number_id,
      numbers,
    };
  });
}

/** The source of a visit by a pool's settings. */
export const classifyIn = (
  visit: Landing,
  settings: PoolRecord['settings'],
  sources: readonly KnownSource[],
) =>
  classify(visit, {
    sources,
    domains: [...settings.domains, ...settings.crossDomains],
    parameterNames: settings.utmParameterOverride,
  });

/** The number that a source sees in a pool for sources; null: the pool has none. */
export function fixedNumberOf(
  pool: Candidate,
  sourceId: number,
  sources: readonly KnownSource[],
): string | null {
  const order = pool.sourceIds.length
    ? pool.sourceIds
    : [...sources, ...knownSystemSources].map(({ id }) => id);
  return staticNumber(pool.numbers, order, sourceId);
}

/** The pool's default number; null: none, or it is no longer in use. */
export async function defaultNumberOf(
  { tx, companyId }: Pick<Scope, 'tx' | 'companyId'>,
  { defaultNumberId }: Candidate,
): Promise<string | null> {
  if (defaultNumberId === null) return null;
  const number = await numberRecord(tx, companyId, defaultNumberId);
  return number?.status === 'active' ? number.number : null;
}
