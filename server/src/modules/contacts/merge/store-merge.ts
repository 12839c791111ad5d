import type { Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

type MergeRow = Selectable<Tables['contact_merge']>;

/** Stores a merge with what it takes to undo it. `before` and `after`: JSON. */
export const insertMerge = (
  tx: Tx,
  row: {
    company_id: number;
    target_id: number;
    source_id: number;
    gone_number: string;
    before: string;
    after: string;
    added_groups: number[];
    added_labels: number[];
    moved_numbers: string[];
    user_id: number | null;
    user_name: string;
    at: Date;
  },
): Promise<MergeRow> =>
  tx.insertInto('contact_merge').values(row).returningAll().executeTakeFirstOrThrow();
/** A merge, locked until the transaction ends. Undefined: none of this ID. */
export const lockMergeById = (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<MergeRow | undefined> =>
  tx
    .selectFrom('contact_merge')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
/** The merge that removed this contact, unless it was undone. Undefined: not merged. */
export const activeMergeOf = (
  tx: Tx,
  companyId: number,
  goneId: number,
): Promise<MergeRow | undefined> =>
  tx
    .selectFrom('contact_merge')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('source_id', '=', goneId)
    .where('undone_at', 'is', null)
    .executeTakeFirst();
/** The merges into a contact, newest first, undone ones included; at most 200. */
export const mergesOf = (tx: Tx, companyId: number, contactId: number): Promise<MergeRow[]> =>
  tx
    .selectFrom('contact_merge')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('target_id', '=', contactId)
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
/** Notes that a merge was undone. */
export const markMergeUndone = (tx: Tx, companyId: number, id: number, at: Date) =>
  tx
    .updateTable('contact_merge')
    .set({ undone_at: at })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
