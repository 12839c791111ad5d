import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/** Days of a zone, both inclusive; `until` cuts the last one at a local time such as 14:30:00. */
interface Days {
  start: string;
  end: string;
  tz: string;
  until?: string | undefined;
}

/**
 * Texts in both directions, by days or hours of a zone (`YYYY-MM-DD`, `YYYY-MM-DDTHH:00`), on
 * visible numbers (null: all). Days without texts are omitted.
 */
export async function countTextsBetween(
  tx: Tx,
  companyId: number,
  { start, end, tz, until }: Days,
  format: 'YYYY-MM-DD' | 'YYYY-MM-DD"T"HH24":00"',
  visibleNumbers: readonly number[] | null,
): Promise<Map<string, number>> {
  const sight = visibleNumbers === null ? null : [...visibleNumbers];
  const { rows } = await sql<{ at: string; n: number }>`
    select to_char(created_at at time zone ${tz}, ${format}) at, count(*)::int n
    from conversation_item
      where company_id = ${companyId} and kind = 'message' and deleted_at is null
      and ${sight === null ? sql`true` : sql`number_id = any (${sight}::bigint[])`}
      and created_at >= (${start}::date)::timestamp at time zone ${tz}
      and created_at < ${endOf(end, until)} at time zone ${tz}
    group by 1`.execute(tx);
  return new Map(rows.map(({ at, n }) => [at, n]));
}
const endOf = (end: string, until: string | undefined) =>
  until ? sql`(${end}::date + ${until}::time)` : sql`(${end}::date + 1)::timestamp`;
