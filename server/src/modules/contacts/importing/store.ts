import { sql, type Selectable, type Updateable } from 'kysely';
import type { ContactImport, ImportOptions } from '#contract/contacts/importing/schemas';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

/** What the JSON columns hold. */
interface ImportDocuments {
  headers: string[];
  /** Where each column of the file goes; null: nowhere. */
  mapping: (string | null)[];
  sample: ContactImport['sample'];
  options: Partial<ImportOptions>;
  undone: ContactImport['undone'];
  skipped_by: Record<string, number>;
}
export type ImportRow = Omit<Selectable<Tables['contact_import']>, keyof ImportDocuments> &
  ImportDocuments;

const imports = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('contact_import')
    .selectAll()
    .where('company_id', '=', companyId)
    .$castTo<ImportRow>();
/** An import of the company. Undefined: none of this ID. */
export const importById = (tx: Tx, companyId: number, id: number): Promise<ImportRow | undefined> =>
  imports(tx, companyId).where('id', '=', id).executeTakeFirst();
/**
 * The import, locked until the transaction ends: of two that start or undo it, the second waits.
 * Undefined: there is none.
 */
export const lockImport = (tx: Tx, companyId: number, id: number): Promise<ImportRow | undefined> =>
  imports(tx, companyId).where('id', '=', id).forUpdate().executeTakeFirst();
/** The import that this batch runs or undoes. Undefined: there is none. */
export const importByBatch = (
  tx: Tx,
  companyId: number,
  batchId: string,
): Promise<ImportRow | undefined> =>
  imports(tx, companyId)
    .where((e) => e.or([e('batch_id', '=', batchId), e('undo_batch_id', '=', batchId)]))
    .executeTakeFirst();
/** A page of the company's imports, newest first. */
export async function importPage(
  tx: Tx,
  companyId: number,
  filter: { state: string | undefined; limit: number; offset: number },
) {
  const page = imports(tx, companyId);
  const counted = tx
    .selectFrom('contact_import')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('company_id', '=', companyId);
  const { state } = filter;
  const rows = await (state ? page.where('state', '=', state) : page)
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  const { n } = await (
    state ? counted.where('state', '=', state) : counted
  ).executeTakeFirstOrThrow();
  return { rows, total: Number(n) };
}
/** Stores a new import with the headers and the first rows of its file. */
export const insertImport = (
  tx: Tx,
  {
    headers,
    sample,
    mapping,
    ...row
  }: Pick<
    ImportRow,
    | 'company_id'
    | 'file_name'
    | 'format'
    | 'encoding'
    | 'bytes'
    | 'headers'
    | 'headers_key'
    | 'sample'
    | 'row_count'
    | 'rows_file_id'
    | 'mapping'
    | 'remembered'
    | 'created_by'
    | 'created_by_name'
    | 'created_at'
  >,
): Promise<ImportRow> =>
  tx
    .insertInto('contact_import')
    .values({
      ...row,
      headers: JSON.stringify(headers),
      sample: JSON.stringify(sample),
      mapping: JSON.stringify(mapping),
    })
    .returningAll()
    .$castTo<ImportRow>()
    .executeTakeFirstOrThrow();
/** JSON columns are given as JSON text. */
export const patchImport = (
  tx: Tx,
  companyId: number,
  id: number,
  patch: Updateable<Tables['contact_import']>,
): Promise<ImportRow> =>
  tx
    .updateTable('contact_import')
    .set(patch)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .$castTo<ImportRow>()
    .executeTakeFirstOrThrow();
/** Rows by outcome; `noted`: imported, but something was left out of them. */
export interface StepCounts {
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  noted: number;
}
/** Adds a step's counts, and stores where the next step begins (`nextByte` of the staging file). */
export const advanceImport = async (
  tx: Tx,
  companyId: number,
  id: number,
  step: StepCounts & {
    nextByte: number;
    processed: number;
    skippedBy: Record<string, number>;
  },
): Promise<void> => {
  await sql`update contact_import set next_byte = ${step.nextByte},
      processed = processed + ${step.processed}, created = created + ${step.created},
      updated = updated + ${step.updated}, unchanged = unchanged + ${step.unchanged},
      skipped = skipped + ${step.skipped}, noted = noted + ${step.noted},
      skipped_by = (
        select coalesce(jsonb_object_agg(key, n), '{}') from (
          select key, sum(value::int)::int n from (
            select * from jsonb_each_text(skipped_by)
            union all select * from jsonb_each_text(${JSON.stringify(step.skippedBy)}::jsonb)
          ) reasons (key, value) group by key
        ) sums
      )
    where company_id = ${companyId} and id = ${id}`.execute(tx);
};

/** The mapping last used for files with these columns, by header; null: none. */
export const savedMapping = async (
  tx: Tx,
  companyId: number,
  key: string,
): Promise<Record<string, string | null> | null> =>
  ((
    await tx
      .selectFrom('contact_import_mapping')
      .select('mapping')
      .where('company_id', '=', companyId)
      .where('headers_key', '=', key)
      .executeTakeFirst()
  )?.mapping as Record<string, string | null> | undefined) ?? null;
/**
 * Remembers how a file with these headers was mapped, for the next one. Null: a column that is not
 * imported.
 */
export const saveMapping = (
  tx: Tx,
  companyId: number,
  key: string,
  mapping: Record<string, string | null>,
  at: Date,
) =>
  tx
    .insertInto('contact_import_mapping')
    .values({
      company_id: companyId,
      headers_key: key,
      mapping: JSON.stringify(mapping),
      used_at: at,
    })
    .onConflict((c) =>
      c
        .columns(['company_id', 'headers_key'])
        .doUpdateSet({ mapping: JSON.stringify(mapping), used_at: at }),
    )
    .execute();
/** Imports of all companies with files to delete: results and uploads older than these times. */
export const importsWithExpiredFiles = (tx: Tx, resultsBefore: Date, uploadsBefore: Date) =>
  tx
    .selectFrom('contact_import')
    .select(['company_id', 'id', 'rows_file_id', 'result_file_id', 'mistakes_file_id'])
    .where((e) =>
      e.or([
        e.and([
          e('created_at', '<', resultsBefore),
          e('state', '<>', 'running'),
          e.or([
            e('rows_file_id', 'is not', null),
            e('result_file_id', 'is not', null),
            e('mistakes_file_id', 'is not', null),
          ]),
        ]),
        e.and([
          e('created_at', '<', uploadsBefore),
          e('state', '=', 'uploaded'),
          e('rows_file_id', 'is not', null),
        ]),
      ]),
    )
    .limit(200)
    .execute();
/** Where the file is stored; null: deleted. */
export const fileKey = async (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<{ key: string; bytes: number } | null> =>
  (await tx
    .selectFrom('file')
    .select(['key', 'bytes'])
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) ?? null;
