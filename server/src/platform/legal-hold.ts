import type { TxCtx } from './context.ts';
import { fail } from './errors.ts';

/**
 * Refuses deleting by hand what is with one of these parties while a hold is on them (decision
 * 0225). `hold.keeps`: it is about one person; `hold.keeps_some`: about `of` many.
 */
export async function refuseIfHeld(
  t: TxCtx,
  parties: readonly string[],
  of: 'one' | 'many' = 'one',
): Promise<void> {
  if (!parties.length) return;
  const held = await t.tx
    .selectFrom('legal_hold')
    .select('number')
    .where('company_id', '=', t.companyId)
    .where('number', 'in', [...new Set(parties)])
    .execute();
  if (held.length) fail(of === 'one' ? 'hold.keeps' : 'hold.keeps_some');
}
