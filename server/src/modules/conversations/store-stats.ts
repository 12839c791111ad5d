import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/** Texts in both directions on days of a zone, both days included, on numbers one may see (null: all). */
export async function countTextsBetween(
  tx: Tx,
  companyId: number,
  days: { start: string; end: string; tz: string },
  visibleNumbers: readonly number[] | null,
): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int n from conversation_item where company_id = ${companyId} and kind = 'message' and deleted_at is null and ${visibleNumbers === null ? sql`true` : sql`number_id = any (${[...visibleNumbers]}::bigint[])`}
    and created_at >= (${days.start}::date)::timestamp at time zone ${days.tz} and created_at < (${days.end}::date + 1)::timestamp at time zone ${days.tz}`.execute(
    tx,
  );
  return rows[0]!.n;
}
