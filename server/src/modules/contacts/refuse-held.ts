import type { TxCtx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { heldContactIds } from './store-trash.ts';

/** Fails with `hold.keeps` when a legal hold is on one of the contact's numbers. */
export async function refuseIfContactHeld(t: TxCtx, id: number): Promise<void> {
  if ((await heldContactIds(t.tx, t.companyId, [id])).length) fail('hold.keeps');
}
