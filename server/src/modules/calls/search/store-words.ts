import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/**
 * Writes the search words of the next `most` calls of a contact or a tag anew, by ID. Returns the
 * last ID; null: there are no more.
 */
export async function refreshWords(
  tx: Tx,
  companyId: number,
  { named, id }: { named: 'contact' | 'tag'; id: number },
  after: number,
  most: number,
): Promise<number | null> {
  const theirs =
    named === 'contact'
      ? sql`select c.id from call c where c.company_id = ${companyId} and c.contact_id = ${id}
          and c.id > ${after} order by c.id limit ${most}`
      : sql`select g.call_id id from call_tag g where g.company_id = ${companyId}
          and g.tag_id = ${id} and g.call_id > ${after} order by g.call_id limit ${most}`;
  const { rows } = await sql<{ id: number }>`${theirs}`.execute(tx);
  const calls = rows.map((row) => row.id);
  if (calls.length)
    await sql`select refresh_call_words(${companyId}, ${calls}::bigint[])`.execute(tx);
  return calls.length === most ? (calls.at(-1) ?? null) : null;
}
