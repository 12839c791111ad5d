/** Tags of a call. */
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
