import { sql, type Selectable } from 'kysely';
import type { CompanyImportState } from '#contract/archive/company-imports/rules';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { ImportReport } from './report.ts';

// The system role: archives that platform staff uploaded belong to no company.

/** A piece of the file in the storage. */
interface Part {
  key: string;
  bytes: number;
}
export type ImportRow = Omit<
  Selectable<Tables['company_import']>,
  'parts' | 'reasons' | 'report' | 'state'
> & {
  parts: Part[];
  reasons: readonly string[];
  report: ImportReport | null;
  state: CompanyImportState;
};

type Change = Partial<Omit<ImportRow, 'id' | 'parts'>>;

/** A part is uploaded within seconds: whoever sent none for this long has gone. */
const ABANDONED_MINUTES = 10;

/** The newest of them. */
export const importRows = (db: Tx, most: number): Promise<ImportRow[]> =>
  db
    .selectFrom('company_import')
    .selectAll()
    .$castTo<ImportRow>()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();

/** Undefined: there is none, or it was discarded. */
export const importRow = (db: Tx, id: number): Promise<ImportRow | undefined> =>
  db
    .selectFrom('company_import')
    .selectAll()
    .$castTo<ImportRow>()
    .where('id', '=', id)
    .executeTakeFirst();

/** Begins an upload. Undefined: another archive is being uploaded, checked or imported. */
export const insertImport = async (
  tx: Tx,
  row: Pick<ImportRow, 'name' | 'bytes' | 'part_bytes' | 'created_by' | 'created_by_name'>,
  now: Date,
): Promise<ImportRow | undefined> =>
  tx
    .insertInto('company_import')
    .values({ ...row, created_at: now, moved_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .$castTo<ImportRow>()
    .executeTakeFirst();

/** Adds the next part. Undefined: it isn't the next one, or the upload is over. */
export const addPart = async (
  tx: Tx,
  id: number,
  offset: number,
  part: Part,
  now: Date,
): Promise<ImportRow | undefined> =>
  (
    await sql<ImportRow>`update company_import set received = received + ${part.bytes},
        parts = parts || ${JSON.stringify([part])}::jsonb, moved_at = ${now},
        state = case when received + ${part.bytes} = bytes then 'queued' else state end
      where id = ${id} and state = 'uploading' and received = ${offset}
        and received + ${part.bytes} <= bytes
      returning *`.execute(tx)
  ).rows[0];

/** Changes one that is in one of these states. Undefined: it isn't, or another one runs. */
export async function moveImport(
  tx: Tx,
  id: number,
  from: readonly CompanyImportState[],
  { report, reasons, ...change }: Change,
): Promise<ImportRow | undefined> {
  return tx
    .updateTable('company_import')
    .set({
      ...change,
      ...(report !== undefined && { report: report && JSON.stringify(report) }),
      ...(reasons && { reasons: JSON.stringify(reasons) }),
    })
    .where('id', '=', id)
    .where('state', 'in', [...from])
    .returningAll()
    .$castTo<ImportRow>()
    .executeTakeFirst();
}

/** Whether one other than this is being uploaded, checked or imported. */
export const otherIsActive = async (tx: Tx, id: number): Promise<boolean> =>
  (
    await sql`select from company_import where id <> ${id}
      and state in ('uploading', 'queued', 'checking', 'importing') limit 1`.execute(tx)
  ).rows.length > 0;

/** Notes how far a job is. */
export const setProgress = async (
  db: Tx,
  id: number,
  progress: number,
  now: Date,
): Promise<void> => {
  await sql`update company_import set progress = ${progress}, moved_at = ${now}
    where id = ${id} and state in ('checking', 'importing')`.execute(db);
};

/** Deletes one that wasn't imported and isn't just now. Undefined: there is no such one. */
export const deleteImport = (tx: Tx, id: number): Promise<ImportRow | undefined> =>
  tx
    .deleteFrom('company_import')
    .where('id', '=', id)
    .where('state', 'not in', ['importing', 'done'])
    .returningAll()
    .$castTo<ImportRow>()
    .executeTakeFirst();

/** Deletes uploads that nobody goes on with. */
export const deleteAbandoned = async (tx: Tx, now: Date): Promise<ImportRow[]> =>
  (
    await sql<ImportRow>`delete from company_import where state = 'uploading'
      and moved_at < ${now}::timestamptz - make_interval(mins => ${ABANDONED_MINUTES})
      returning *`.execute(tx)
  ).rows;

/** Jobs that died with their process in the last attempt. */
export const givenUp = async (db: Tx, before: Date): Promise<ImportRow[]> =>
  (
    await sql<ImportRow>`select * from company_import
      where state in ('queued', 'checking', 'importing') and moved_at < ${before}`.execute(db)
  ).rows;

/** Those whose bytes nobody needs any more. */
export const withOldBytes = async (db: Tx, before: Date): Promise<ImportRow[]> =>
  (
    await sql<ImportRow>`select * from company_import where parts <> '[]'
      and (state = 'done' or (created_at < ${before}
        and state in ('ready', 'refused', 'failed')))`.execute(db)
  ).rows;

/** Forgets the bytes, which are removed from the storage next or were. */
export const forgetParts = async (db: Tx, id: number): Promise<void> => {
  await sql`update company_import set parts = '[]' where id = ${id}`.execute(db);
};
