import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** Stores which contacts step `part` (from 0) changed. */
export const insertBulkStep = (
  tx: Tx,
  companyId: number,
  batchId: string,
  part: number,
  ids: readonly number[],
  at: Date,
) =>
  ids.length
    ? tx
        .insertInto('contact_bulk_change')
        .values({
          company_id: companyId,
          batch_id: batchId,
          part,
          contact_ids: sql`${[...ids]}::bigint[]`,
          at,
        })
        .execute()
    : Promise.resolve([]);
/** How many contacts the action changed, and how many of those were undone. */
export const countChanged = async (
  tx: Tx,
  companyId: number,
  batchId: string,
): Promise<{ changed: number; undone: number }> =>
  (
    await sql<{ changed: number; undone: number }>`
      select coalesce(sum(cardinality(contact_ids)), 0)::int changed,
        coalesce(sum(cardinality(contact_ids)) filter (where undone_at is not null), 0)::int undone
      from contact_bulk_change where company_id = ${companyId} and batch_id = ${batchId}`.execute(
      tx,
    )
  ).rows[0] ?? { changed: 0, undone: 0 };
/** Takes the last step not undone yet and marks it undone; null: all are undone. */
export const claimStepToUndo = async (
  tx: Tx,
  companyId: number,
  batchId: string,
  at: Date,
): Promise<number[] | null> =>
  (
    await sql<{
      contact_ids: number[];
    }>`update contact_bulk_change set undone_at = ${at} where (company_id, batch_id, part) in (
        select company_id, batch_id, part from contact_bulk_change
        where company_id = ${companyId} and batch_id = ${batchId} and undone_at is null
        order by part desc limit 1 for update
      ) returning contact_ids`.execute(tx)
  ).rows[0]?.contact_ids ?? null;
