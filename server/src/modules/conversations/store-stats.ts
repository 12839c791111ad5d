import { sql } from 'kysely';
import { prepared, type Tx } from '../../platform/db.ts';

/**
 * Texts of these hours (their beginnings) from one moment to before another, on these numbers
 * (null: all), counted one by one.
 * @param format of the points in local time; null: one point, named ''
 */
export async function textsOfHours(
  tx: Tx,
  companyId: number,
  hours: readonly Date[],
  { from, to }: { from: Date; to: Date },
  { tz, format, only }: { tz: string; format: string | null; only: readonly number[] | null },
): Promise<{ at: string; texts_in: number; texts_out: number }[]> {
  if (!hours.length) return [];
  const at = format === null ? sql`''` : sql`to_char(created_at at time zone ${tz}, ${format})`;
  const { rows } = await sql<{ at: string; texts_in: number; texts_out: number }>`${prepared}
    select ${at} at, count(*) filter (where is_inbound)::int texts_in,
      count(*) filter (where not is_inbound)::int texts_out
    from unnest(${[...hours]}::timestamptz[]) h cross join lateral (
      select created_at, is_inbound from conversation_item
      where company_id = ${companyId} and kind = 'message' and deleted_at is null
        and ${only === null ? sql`true` : sql`number_id = any (${[...only]}::bigint[])`}
        and created_at >= greatest(h, ${from}) and created_at < least(h + interval '1 hour', ${to})
      offset 0) i
    group by 1`.execute(tx);
  return rows;
}
