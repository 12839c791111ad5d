import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** The numbers that a company holds, those being bought included, by what they cost. */
export async function heldByKind(
  tx: Tx,
  companyId: number,
): Promise<{ numbers_local: number; numbers_toll_free: number }> {
  const { rows } = await sql<{ local: number; toll_free: number }>`
    select count(*) filter (where not is_toll_free(number))::int as local,
      count(*) filter (where is_toll_free(number))::int as toll_free
    from number where company_id = ${companyId}
      and status not in ('released', 'releasing')`.execute(tx);
  return { numbers_local: rows[0]?.local ?? 0, numbers_toll_free: rows[0]?.toll_free ?? 0 };
}
