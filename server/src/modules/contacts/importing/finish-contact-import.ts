import { contactsChanged } from '#contract/contacts/events';
import { contactImportCompleted } from '#contract/contacts/importing/events';
import { audit } from '../../../platform/audit.ts';
import { finishBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { mistakesFileName } from './check-contact-import.ts';
import { BYTE_ORDER_MARK, csvLine } from './csv-cells.ts';
import { importPath } from './present.ts';
import { isMistake, problemOf } from './rules.ts';
import { stepRows, readStagedRows, type StagedFile } from './staging-file.ts';
import { recordsOfStep } from './store-steps.ts';
import { fileKey, lockImport, importById, patchImport, type ImportRow } from './store.ts';
import type { UndoRecord } from './undo-record.ts';

const csvType = 'text/csv; charset=utf-8';
type ReceivedFile = Awaited<ReturnType<Ctx['files']['receive']>>;
interface ReportFiles {
  /** Every row with its outcome. */
  result: ReceivedFile;
  /** The rows to correct, in a form that can be imported again; null: none. */
  mistakes: ReceivedFile | null;
}

/** After the last row: writes the result files and ends the import. Safe to run twice. */
export async function finishContactImport(
  ctx: Ctx,
  importId: number,
  file: StagedFile,
): Promise<void> {
  const row = await ctx.transaction((t) => importById(t.tx, t.companyId, importId));
  if (row?.state !== 'running' || !row.batch_id) return;
  const files = await writeReports(ctx, row, file);
  const replaced = await ctx.transaction((t) => storeReports(t, row, files));
  const obsolete = replaced ?? [files.result.key, ...(files.mistakes ? [files.mistakes.key] : [])];
  for (const key of obsolete) await ctx.files.blobs.remove(key);
}

async function writeReports(ctx: Ctx, row: ImportRow, file: StagedFile): Promise<ReportFiles> {
  const padded = (cells: readonly string[]) => row.headers.map((_, column) => cells[column] ?? '');
  const receive = (lines: AsyncGenerator<Buffer>) =>
    ctx.files.receive(ctx.companyId, csvType, lines, ctx.now);
  const result = await receive(
    reportLines(ctx, row.id, file, ['Row', 'Outcome', 'Problem', ...row.headers], (record, cells) =>
      csvLine([String(record.row), record.outcome, problemOf(record) ?? '', ...padded(cells)]),
    ),
  );
  if (row.skipped + row.noted === 0) return { result, mistakes: null };
  let count = 0;
  const mistakes = await receive(
    reportLines(ctx, row.id, file, [...row.headers, 'Problem'], (record, cells) => {
      if (!isMistake(record)) return '';
      count++;
      return csvLine([...padded(cells), problemOf(record) ?? '']);
    }),
  );
  if (count) return { result, mistakes };
  await ctx.files.blobs.remove(mistakes.key);
  return { result, mistakes: null };
}

/** A CSV with one line, or none, per row of the staging file. */
async function* reportLines(
  ctx: Ctx,
  importId: number,
  file: StagedFile,
  head: readonly string[],
  line: (record: UndoRecord, cells: readonly string[]) => string,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${BYTE_ORDER_MARK}${csvLine(head)}`);
  let step = 0;
  for await (const rows of readStagedRows(ctx, file, 0, stepRows)) {
    const n = step++;
    const records = await ctx.transaction((t) => recordsOfStep(t.tx, t.companyId, importId, n));
    const text = rows
      .map(({ cells }, i) => {
        const record = records[i];
        return record ? line(record, cells) : '';
      })
      .join('');
    if (text) yield Buffer.from(text);
  }
}

/**
 * Stores the files and ends the import. Returns the keys of blobs that they replace; null: it had
 * ended already, and the new files are not needed.
 */
async function storeReports(
  t: TxCtx,
  { id, batch_id, file_name, row_count }: ImportRow,
  files: ReportFiles,
): Promise<string[] | null> {
  const current = await lockImport(t.tx, t.companyId, id);
  if (current?.state !== 'running' || !batch_id) return null;
  const insert = (received: ReceivedFile, name: string) =>
    t.files.insertRow(
      t.tx,
      t.companyId,
      { name, contentType: csvType, purpose: 'contact-import', received },
      t.now,
    );
  const result = await insert(
    files.result,
    `${file_name.replace(/\.(csv|xlsx|txt|tsv)$/i, '')} result.csv`,
  );
  const mistakes = files.mistakes && (await insert(files.mistakes, mistakesFileName(file_name)));
  const replacedId = current.mistakes_file_id;
  if (replacedId !== null) await t.files.markDeleted(t.tx, t.companyId, replacedId, t.now);
  const replaced = replacedId === null ? null : await fileKey(t.tx, t.companyId, replacedId);
  await patchImport(t.tx, t.companyId, id, {
    state: 'finished',
    finished_at: t.now,
    result_file_id: result.id,
    mistakes_file_id: mistakes?.id ?? null,
  });
  const batch = await finishBatch(
    t.tx,
    t.companyId,
    batch_id,
    { processed: row_count, result: [] },
    t.now,
  );
  const { created, updated, skipped } = current;
  await audit(t, 'contacts.imported', `contact_import:${id}`, {
    after: { file: file_name, created, updated, skipped },
  });
  await t.publish(contactImportCompleted, {
    batchId: batch_id,
    progress: 100,
    processed: row_count,
    total: row_count,
    failed: batch?.failed ?? 0,
    resultUrl: importPath(id),
  });
  await t.publish(contactsChanged, { what: 'added', count: created + updated, batchId: batch_id });
  return replaced ? [replaced.key] : [];
}
