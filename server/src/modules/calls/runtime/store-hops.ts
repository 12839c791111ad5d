import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/**
 * How many of the company's numbers already forwarded this call (loop guard, A7.1). A forward to
 * one of our own numbers arrives as a new inbound call; it is recognized by a running call of ours
 * that rings this number with the same caller ID.
 */
export async function countHops(
  tx: Tx,
  companyId: number,
  number: string,
  from: string,
): Promise<number> {
  const { rows } = await sql<{ hops: number | null }>`
    select max(coalesce((l.state->'flow'->>'hops')::int, 0)) + 1 hops
    from call_leg g join live_call l on l.company_id = g.company_id and l.call_id = g.call_id
    where g.company_id = ${companyId} and g.target = ${number} and g.role = 'target'
      and g.ended_at is null and not l.ended
      and ${from} in (l.state->>'from', l.state->'flow'->'number'->>'number')`.execute(tx);
  return rows[0]?.hops ?? 0;
}
