import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/**
 * How many of the company's own numbers a call came through before it reached this one (A7.1 loop guard). A carrier does
 * not say that our own forward comes back in as a new call, so it is recognized: a call of ours that rings this number
 * now and shows the same caller.
 */
export async function countHops(
  tx: Tx,
  companyId: number,
  number: string,
  from: string,
): Promise<number> {
  const { rows } = await sql<{ hops: number | null }>`
    select max(coalesce((l.state->'flow'->>'hops')::int, 0)) + 1 hops from call_leg g join live_call l on l.company_id = g.company_id and l.call_id = g.call_id
    where g.company_id = ${companyId} and g.target = ${number} and g.role = 'target' and g.ended_at is null and not l.over
      and ${from} in (l.state->>'from', l.state->'flow'->'number'->>'number')`.execute(tx);
  return rows[0]?.hops ?? 0;
}
