/** Tags of a call. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** The tags of a call by name, without deleted ones. */
export const tagsOfCall = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('call_tag')
    .innerJoin('tag', (j) =>
      j.onRef('tag.company_id', '=', 'call_tag.company_id').onRef('tag.id', '=', 'call_tag.tag_id'),
    )
    .select(['tag.id', 'tag.name', 'tag.color'])
    .where('tag.deleted_at', 'is', null)
    .where('call_tag.company_id', '=', companyId)
    .where('call_tag.call_id', '=', callId)
    .orderBy('tag.name')
    .execute();
/** Tags a call; tags it already has stay as they are. `by`: the user, null for a rule. */
export const tagCall = (
  tx: Tx,
  companyId: number,
  callId: number,
  tagIds: readonly number[],
  by: number | null,
  at: Date,
) =>
  tx
    .insertInto('call_tag')
    .values(
      tagIds.map((tag_id) => ({
        company_id: companyId,
        call_id: callId,
        tag_id,
        added_by: by,
        added_at: at,
      })),
    )
    .onConflict((c) => c.doNothing())
    .execute();
/** Takes tags off a call. */
export const untagCall = (tx: Tx, companyId: number, callId: number, tagIds: readonly number[]) =>
  tx
    .deleteFrom('call_tag')
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .where('tag_id', 'in', [...tagIds])
    .execute();
/** Replaces tag `gone` with `kept` on up to `most` calls; returns how many had it. */
export async function replaceTagOfSome(
  tx: Tx,
  companyId: number,
  { gone, kept }: { gone: number; kept: number },
  most: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`with these as materialized (
      select call_id, added_by, added_at from call_tag
      where company_id = ${companyId} and tag_id = ${gone} order by call_id limit ${most}),
    given as (insert into call_tag (company_id, call_id, tag_id, added_by, added_at)
      select ${companyId}, call_id, ${kept}, added_by, added_at from these on conflict do nothing),
    taken as (delete from call_tag t using these s where t.company_id = ${companyId}
      and t.call_id = s.call_id and t.tag_id = ${gone})
    select count(*)::int n from these`.execute(tx);
  return rows[0]?.n ?? 0;
}
