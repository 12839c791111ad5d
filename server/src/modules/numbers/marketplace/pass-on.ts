import { numbers } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { refuse } from '../../../platform/refuse.ts';
import { lockNumber, unclaimNumber, updateNumberRow } from '../store.ts';

/** An own number goes to whoever leased it: here it is given up at once, its history stays. */
export async function passOn(t: TxCtx, numberId: number): Promise<void> {
  const row = (await lockNumber(t.tx, t.companyId, numberId, null)) ?? refuse('marketplace.taken');
  await updateNumberRow(t.tx, t.companyId, numberId, { status: 'released', released_at: t.now, release_reason: 'Leased on the marketplace', updated_at: t.now });
  await unclaimNumber(t.tx, row.number, numberId);
  await t.say(numbers.numberReleased, { companyId: t.companyId, numberId, number: row.number }, { numberId });
}
