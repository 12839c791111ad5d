import { sql, type Selectable, type Updateable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { NumberFacts } from './plan-row.ts';

export const owns = ['contact_import', 'contact_import_chunk', 'contact_import_mapping'] as const;
export type ImportRow = Selectable<Tables['contact_import']>;

export const importById = (tx: Tx, companyId: number, id: number): Promise<ImportRow | undefined> =>
  tx
    .selectFrom('contact_import')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
/** Held until the transaction ends: two who start or undo it at once come one after the other. */
export const lockImport = (tx: Tx, companyId: number, id: number): Promise<ImportRow | undefined> =>
  tx
    .selectFrom('contact_import')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
export const importByBatch = (
  tx: Tx,
  companyId: number,
  batchId: string,
): Promise<ImportRow | undefined> =>
  tx
    .selectFrom('contact_import')
    .selectAll()
    .where('company_id', '=', companyId)
    .where((e) => e.or([e('batch_id', '=', batchId), e('undo_batch_id', '=', batchId)]))
    .executeTakeFirst();
export async function importPage(
  tx: Tx,
  companyId: number,
  filter: { state: string | undefined; limit: number; offset: number },
) {
  const filtered = () => {
    const q = tx.selectFrom('contact_import').where('company_id', '=', companyId);
    return filter.state ? q.where('state', '=', filter.state) : q;
  };
  const [rows, { n }] = [
    await filtered()
      .selectAll()
      .orderBy('id', 'desc')
      .limit(filter.limit)
      .offset(filter.offset)
      .execute(),
    await filtered()
      .select((e) => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow(),
  ];
  return { rows, total: Number(n) };
}
type NewImport = Pick<
  ImportRow,
  | 'company_id'
  | 'file_name'
  | 'format'
  | 'bytes'
  | 'headers_key'
  | 'row_count'
  | 'rows_file_id'
  | 'created_by'
  | 'created_by_name'
  | 'created_at'
> & { headers: readonly string[]; sample: unknown; mapping: unknown; remembered: boolean };
export const insertImport = (
  { headers, sample, mapping, ...row }: NewImport,
  tx: Tx,
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
    .executeTakeFirstOrThrow();
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
    .executeTakeFirstOrThrow();
/** A step is done: its figures are added and the next one's place is kept. */
export const advanceImport = async (
  tx: Tx,
  companyId: number,
  id: number,
  step: {
    nextByte: number;
    processed: number;
    created: number;
    updated: number;
    unchanged: number;
    skipped: number;
    noted: number;
    skippedBy: Record<string, number>;
  },
) => {
  await sql`update contact_import set next_byte = ${step.nextByte}, processed = processed + ${step.processed}, created = created + ${step.created}, updated = updated + ${step.updated}, unchanged = unchanged + ${step.unchanged}, skipped = skipped + ${step.skipped}, noted = noted + ${step.noted},
    skipped_by = (select coalesce(jsonb_object_agg(key, n), '{}') from (select key, sum(value::int)::int n from (select * from jsonb_each_text(skipped_by) union all select * from jsonb_each_text(${JSON.stringify(step.skippedBy)}::jsonb)) both_ (key, value) group by key) s)
    where company_id = ${companyId} and id = ${id}`.execute(tx);
};

export const insertChunk = (
  tx: Tx,
  companyId: number,
  importId: number,
  n: number,
  at: Date,
  rows: string,
) =>
  tx
    .insertInto('contact_import_chunk')
    .values({ company_id: companyId, import_id: importId, n, at, rows })
    .execute();
export const chunkByNumber = (tx: Tx, companyId: number, importId: number, n: number) =>
  tx
    .selectFrom('contact_import_chunk')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('import_id', '=', importId)
    .where('n', '=', n)
    .executeTakeFirst();
/** The newest step that is not undone yet; undo goes from the end to the beginning. */
export const lockChunkToUndo = (tx: Tx, companyId: number, importId: number) =>
  tx
    .selectFrom('contact_import_chunk')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('import_id', '=', importId)
    .where('undone_at', 'is', null)
    .orderBy('n', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
export const markChunkUndone = (tx: Tx, companyId: number, importId: number, n: number, at: Date) =>
  tx
    .updateTable('contact_import_chunk')
    .set({ undone_at: at })
    .where('company_id', '=', companyId)
    .where('import_id', '=', importId)
    .where('n', '=', n)
    .execute();
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

export const numberFactsOf = async (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<Map<string, NumberFacts>> =>
  new Map(
    (
      await sql<{
        number: string;
        opted_out_at: Date | null;
        blocked: boolean;
      }>`select * from contact_import_facts(${companyId}, ${[...numbers]}::text[])`.execute(tx)
    ).rows.map((r) => [
      r.number,
      { optedOutAt: r.opted_out_at && new Date(r.opted_out_at), blocked: r.blocked },
    ]),
  );
export const numbersWithActivity = async (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<Set<string>> =>
  new Set(
    (
      await sql<{
        number: string;
      }>`select number from numbers_with_activity(${companyId}, ${[...numbers]}::text[])`.execute(
        tx,
      )
    ).rows.map((r) => r.number),
  );
/** Imports of all companies whose files are due to go: results after 30 days, files nobody imported after a day. */
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
