import { contactsChanged } from '#contract/contacts/events';
import { contactImportCompleted } from '#contract/contacts/importing/events';
import { audit } from '../../../platform/audit.ts';
import { finishBatch } from '../../../platform/batches.ts';
import type { Ctx } from '../../../platform/context.ts';
import { mistakesFileName } from './check-contact-import.ts';
import { BYTE_ORDER_MARK, csvLine } from './csv-cells.ts';
import { isMistake, problemOf } from './rules.ts';
import { importPath } from './present.ts';
import { stepRows, readStagedRows } from './staging-file.ts';
import { chunkByNumber, fileKey, lockImport, importById, patchImport } from './store.ts';
import type { UndoRecord } from './write-rows.ts';

const csvContentType = 'text/csv; charset=utf-8';

/** Every row was taken: write what became of each, and the rows to mend in a file that can be imported again. */
export async function finishContactImport(
  ctx: Ctx,
  importId: number,
  file: { key: string; bytes: number },
): Promise<void> {
  const row = await ctx.transaction((t) => importById(t.tx, t.companyId, importId));
  if (row?.state !== 'running') return;
  const headers = row.headers as string[];
  const padRow = (cells: readonly string[]) => headers.map((_, i) => cells[i] ?? '');
  let mistakes = 0;
  async function* lines(
    head: readonly string[],
    line: (k: UndoRecord, cells: readonly string[]) => string,
  ): AsyncGenerator<Buffer> {
    yield Buffer.from(`${BYTE_ORDER_MARK}${csvLine(head)}`);
    let n = 0;
    for await (const rows of readStagedRows(ctx, file, 0, stepRows)) {
      const chunk = await ctx.transaction((t) => chunkByNumber(t.tx, t.companyId, importId, n));
      const kept = (chunk?.rows ?? []) as unknown as UndoRecord[];
      const text = rows.map((r, i) => (kept[i] ? line(kept[i], r.cells) : '')).join('');
      if (text) yield Buffer.from(text);
      n++;
    }
  }
  const result = await ctx.files.receive(
    ctx.companyId,
    csvContentType,
    lines(['Row', 'Outcome', 'Problem', ...headers], (k, cells) =>
      csvLine([String(k.r), k.o, problemOf(k) ?? '', ...padRow(cells)]),
    ),
    ctx.now,
  );
  const mistakesReceived =
    row.skipped + row.noted === 0
      ? null
      : await ctx.files.receive(
          ctx.companyId,
          csvContentType,
          lines([...headers, 'Problem'], (k, cells) =>
            isMistake(k) ? (mistakes++, csvLine([...padRow(cells), problemOf(k) ?? ''])) : '',
          ),
          ctx.now,
        );
  const finished = await ctx.transaction(async (t) => {
    const current = await lockImport(t.tx, t.companyId, importId);
    if (current?.state !== 'running') return null;
    const enter = (received: typeof result, name: string) =>
      t.files.insertRow(
        t.tx,
        t.companyId,
        { name, contentType: csvContentType, purpose: 'contact-import', received },
        t.now,
      );
    const resultFile = await enter(
      result,
      `${row.file_name.replace(/\.(csv|xlsx|txt|tsv)$/i, '')} result.csv`,
    );
    const mistakesFile =
      mistakesReceived && mistakes
        ? await enter(mistakesReceived, mistakesFileName(row.file_name))
        : null;
    if (current.mistakes_file_id !== null)
      await t.files.markDeleted(t.tx, t.companyId, current.mistakes_file_id, t.now);
    const oldKey =
      current.mistakes_file_id === null
        ? null
        : await fileKey(t.tx, t.companyId, current.mistakes_file_id);
    await patchImport(t.tx, t.companyId, importId, {
      state: 'finished',
      finished_at: t.now,
      result_file_id: resultFile.id,
      mistakes_file_id: mistakesFile?.id ?? null,
    });
    const batch = await finishBatch(
      t.tx,
      t.companyId,
      row.batch_id!,
      { processed: row.row_count, result: [] },
      t.now,
    );
    await audit(t, 'contacts.imported', `contact_import:${importId}`, {
      after: {
        file: row.file_name,
        created: current.created,
        updated: current.updated,
        skipped: current.skipped,
      },
    });
    await t.publish(contactImportCompleted, {
      batchId: row.batch_id!,
      progress: 100,
      processed: row.row_count,
      total: row.row_count,
      failed: batch?.failed ?? 0,
      resultUrl: importPath(importId),
    });
    await t.publish(contactsChanged, {
      what: 'added',
      count: current.created + current.updated,
      batchId: row.batch_id!,
    });
    return {
      remove: [
        ...(mistakesReceived && !mistakes ? [mistakesReceived.key] : []),
        ...(oldKey ? [oldKey.key] : []),
      ],
    };
  });
  for (const key of finished?.remove ?? [
    result.key,
    ...(mistakesReceived ? [mistakesReceived.key] : []),
  ])
    await ctx.files.blobs.remove(key);
}
