import type { TxCtx } from '../../../platform/context.ts';
import { areNumbersForfeited } from '../../billing/index.ts';
import { releaseOrRestore } from '../remove-number.ts';
import { releasableNumbers } from './store.ts';

/**
 * Releases the numbers of a company whose plan ended unpaid; those in tracking pools are released by
 * theirs. Nothing happens if it has a plan again. Run again, none is left.
 */
export async function releaseForfeited(t: TxCtx): Promise<void> {
  if (!(await areNumbersForfeited(t))) return;
  for (const id of await releasableNumbers(t.tx, t.companyId))
    await releaseOrRestore(t, id, { undo: false, reason: 'the plan ended unpaid' });
}
