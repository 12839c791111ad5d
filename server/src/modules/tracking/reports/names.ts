import type { TxCtx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { numberLabels } from '../../numbers/index.ts';
import { knownSystemSources } from '../classification/system-sources.ts';
import { sourceRows } from '../sources/store.ts';
import { poolsAmong } from './store.ts';

/** Names of sources by key; those of deleted ones are missing. */
export async function sourceLabels(
  tx: Tx,
  companyId: number,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const wanted = new Set(keys);
  const all = [...knownSystemSources, ...(await sourceRows(tx, companyId))];
  return new Map(all.filter(({ key }) => wanted.has(key)).map(({ key, label }) => [key, label]));
}

/** Which lists name pools or numbers that aren't the company's, or that the actor doesn't see. */
export async function foreignIds(
  { tx, companyId, numbers }: TxCtx,
  {
    poolIds = [],
    numberIds = [],
  }: { poolIds?: readonly number[] | undefined; numberIds?: readonly number[] | undefined },
): Promise<{ poolIds: boolean; numberIds: boolean }> {
  const pools = await poolsAmong(tx, companyId, poolIds);
  const known = numberIds.length
    ? await numberLabels(tx, companyId, numberIds)
    : new Map<number, string>();
  return {
    poolIds: poolIds.some((id) => !pools.has(id)),
    numberIds: numberIds.some((id) => !known.has(id) || numbers?.includes(id) === false),
  };
}
