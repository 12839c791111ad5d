import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

type NumberComponent = 'numbers_local' | 'numbers_toll_free' | 'numbers_fax' | 'pool_numbers';

/** The numbers that a company holds, those being bought included, by what they cost. */
export async function heldByKind(
  tx: Tx,
  companyId: number,
): Promise<Record<NumberComponent, number>> {
  const { rows } = await sql<{ component: NumberComponent; held: number }>`
    select number_component(n) as component, count(*)::int as held
    from number n where company_id = ${companyId}
      and status not in ('released', 'releasing') group by 1`.execute(tx);
  const none = { numbers_local: 0, numbers_toll_free: 0, numbers_fax: 0, pool_numbers: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ component, held }) => [component, held])) };
}
