import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** Links of one visit that are remembered; a visitor has no use for more. */
const MOST_LINKS = 100;

/**
 * Uses a link of a visit, once: another page that comes with the same one gets null, and so does one
 * of a visit that is over, has no visitor or is of none of these pools.
 * @param since visits that were last seen before are over
 * @param use when the link was made, and the load of the page that uses it
 */
export async function visitOfLink(
  tx: Tx,
  companyId: number,
  { id, pools, since }: { id: number; pools: readonly number[]; since: Date },
  use: { at: string; page: string },
): Promise<{ id: number; visitor_id: string; pool_id: number } | null> {
  const mark = `${use.at}:${use.page}`;
  const { rows } = await sql<{ id: number; visitor_id: string; pool_id: number }>`
    update tracking_visit set links_used = array_append(array_remove(links_used, ${mark}), ${mark})
    where company_id = ${companyId} and id = ${id} and visitor_id is not null
      and pool_id = any (${[...pools]}::bigint[]) and last_seen_at > ${since}
      and cardinality(links_used) < ${MOST_LINKS}
      and not exists (select from unnest(links_used) as used
        where split_part(used, ':', 1) = ${use.at} and used <> ${mark})
    returning id, visitor_id, pool_id`.execute(tx);
  return rows[0] ?? null;
}
