import type { Tx } from '../../../platform/db.ts';
import { packRecords, unpackRecords, type UndoRecord } from './undo-record.ts';

/** The steps of imports (`contact_import_chunk`): what each did to its rows. */

/** Stores the records of step `n`, which starts at 0. */
export const insertChunk = (
  tx: Tx,
  companyId: number,
  importId: number,
  n: number,
  at: Date,
  records: readonly UndoRecord[],
) =>
  tx
    .insertInto('contact_import_chunk')
    .values({ company_id: companyId, import_id: importId, n, at, rows: packRecords(records) })
    .execute();
/** The records of a step, one per row; none when the step doesn't exist. */
export async function recordsOfStep(
  tx: Tx,
  companyId: number,
  importId: number,
  n: number,
): Promise<UndoRecord[]> {
  const chunk = await tx
    .selectFrom('contact_import_chunk')
    .select('rows')
    .where('company_id', '=', companyId)
    .where('import_id', '=', importId)
    .where('n', '=', n)
    .executeTakeFirst();
  return chunk ? unpackRecords(chunk.rows) : [];
}
/**
 * The last step not undone yet, locked; undefined: all are undone. Undo runs from last to first.
 */
export async function lockStepToUndo(
  tx: Tx,
  companyId: number,
  importId: number,
): Promise<{ n: number; at: Date; records: UndoRecord[] } | undefined> {
  const chunk = await tx
    .selectFrom('contact_import_chunk')
    .select(['n', 'at', 'rows'])
    .where('company_id', '=', companyId)
    .where('import_id', '=', importId)
    .where('undone_at', 'is', null)
    .orderBy('n', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  return chunk && { n: chunk.n, at: chunk.at, records: unpackRecords(chunk.rows) };
}
/** Notes that the rows of a step are undone, so that a retry skips it. */
export const markChunkUndone = (tx: Tx, companyId: number, importId: number, n: number, at: Date) =>
  tx
    .updateTable('contact_import_chunk')
    .set({ undone_at: at })
    .where('company_id', '=', companyId)
    .where('import_id', '=', importId)
    .where('n', '=', n)
    .execute();
/** How many steps of an import were written. */
export const countChunks = async (tx: Tx, companyId: number, importId: number): Promise<number> =>
  Number(
    (
      await tx
        .selectFrom('contact_import_chunk')
        .select((e) => e.fn.countAll<number>().as('n'))
        .where('company_id', '=', companyId)
        .where('import_id', '=', importId)
        .executeTakeFirstOrThrow()
    ).n,
  );
