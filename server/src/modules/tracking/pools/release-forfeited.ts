import type { TxCtx } from '../../../platform/context.ts';
import { areNumbersForfeited } from '../../billing/index.ts';
import { releaseOrRestore } from '../../numbers/index.ts';
import { removeNumbers } from './change-members.ts';
import { publishPoolChanged } from './publish-pool-changed.ts';
import { allPools, lockPools, updatePoolRow } from './store.ts';
import { slotsOf } from './store-slots.ts';

/**
 * Takes the numbers of a company whose plan ended unpaid out of its pools and releases them; the
 * others are released by their own module. Nothing happens if it has a plan again.
 */
export async function releaseForfeitedOfPools(t: TxCtx): Promise<void> {
  if (!(await areNumbersForfeited(t))) return;
  await lockPools(t.tx, t.companyId);
  for (const pool of await allPools(t.tx, t.companyId)) {
    const slots = await slotsOf(t.tx, t.companyId, [pool.id], null, t.now);
    const ids = slots.map(({ number_id }) => number_id);
    await updatePoolRow(t.tx, t.companyId, pool.id, { default_number_id: null, updated_at: t.now });
    await removeNumbers(t, pool, ids);
    for (const id of ids)
      await releaseOrRestore(t, id, { undo: false, reason: 'the plan ended unpaid' });
    await publishPoolChanged(t, pool.id);
  }
}
