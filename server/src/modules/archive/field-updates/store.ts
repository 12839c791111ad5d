import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { FieldValueType } from '#contract/fields/rules';
import type { FieldUpdateState, IdColumn } from '#contract/archive/field-updates/rules';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

interface Closed {
  state: FieldUpdateState;
  id_column: IdColumn;
}
/** One run in one company. */
export type UpdateRow = Omit<Selectable<Tables['field_update']>, keyof Closed> & Closed;

const updates = (tx: Tx) => tx.selectFrom('field_update').selectAll().$castTo<UpdateRow>();

/** The company's newest runs, at most `limit`. */
export const newestUpdates = (tx: Tx, companyId: number, limit: number): Promise<UpdateRow[]> =>
  updates(tx)
    .where('company_id', '=', companyId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** A run, locked: of two that advance or undo it, the second waits. Undefined: there is none. */
export const lockUpdate = (tx: Tx, companyId: number, id: number): Promise<UpdateRow | undefined> =>
  updates(tx)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Stores a new run. */
export const insertUpdate = (tx: Tx, row: Insertable<Tables['field_update']>): Promise<UpdateRow> =>
  tx
    .insertInto('field_update')
    .values(row)
    .returningAll()
    .$castTo<UpdateRow>()
    .executeTakeFirstOrThrow();

/** Changes a run of this ID. */
export const patchUpdate = (
  tx: Tx,
  companyId: number,
  id: number,
  patch: Updateable<Tables['field_update']>,
): Promise<UpdateRow> =>
  tx
    .updateTable('field_update')
    .set(patch)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .$castTo<UpdateRow>()
    .executeTakeFirstOrThrow();

/** A value that a row changed; null: there was none, or there is none now. */
export interface FieldChange {
  id: number;
  from: FieldValueType | null;
  to: FieldValueType | null;
}
export interface RowChange {
  row_number: number;
  entity_id: number;
  changes: FieldChange[];
}

/** Stores what the rows of a step changed. */
export async function insertChanges(
  tx: Tx,
  { company_id, id: update_id }: UpdateRow,
  rows: readonly RowChange[],
  at: Date,
): Promise<void> {
  if (!rows.length) return;
  await tx
    .insertInto('field_update_change')
    .values(
      rows.map((row) => ({
        ...row,
        company_id,
        update_id,
        at,
        changes: JSON.stringify(row.changes),
      })),
    )
    .execute();
}

/** How many rows changed something. */
export const countChanges = async (tx: Tx, companyId: number, updateId: number): Promise<number> =>
  (
    await tx
      .selectFrom('field_update_change')
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('company_id', '=', companyId)
      .where('update_id', '=', updateId)
      .executeTakeFirstOrThrow()
  ).n;

/** What the rows of a run changed, the last row first. */
export const changesToUndo = async (
  tx: Tx,
  companyId: number,
  updateId: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<RowChange[]> =>
  (
    await sql<RowChange>`select row_number, entity_id, changes from field_update_change
      where company_id = ${companyId} and update_id = ${updateId}
      order by row_number desc offset ${offset} limit ${limit}`.execute(tx)
  ).rows;

/** Runs the work; what it changed is gone if it throws, and the transaction goes on. */
export async function inSavepoint(tx: Tx, work: () => Promise<unknown>): Promise<void> {
  await sql`savepoint field_update_row`.execute(tx);
  try {
    await work();
    await sql`release savepoint field_update_row`.execute(tx);
  } catch (error) {
    await sql`rollback to savepoint field_update_row`.execute(tx);
    throw error;
  }
}
