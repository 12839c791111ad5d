import { contactsChanged } from '#contract/contacts';
import { contactImportCompleted } from '#contract/importing';
import { audit } from '../../../platform/audit.ts';
import { finishBatch } from '../../../platform/batches.ts';
import type { Ctx } from '../../../platform/context.ts';
import { mistakesName } from './check-contact-import.ts';
import { BYTE_ORDER_MARK, csvLine } from './csv-cells.ts';
import { isMistake, problemOf } from './rules.ts';
import { screenOf } from './present.ts';
import { STEP_ROWS, storedRows } from './row-file.ts';
import { chunkOf, fileKey, holdImport, importById, patchImport } from './store.ts';
import type { Kept } from './take-rows.ts';

const TYPE = 'text/csv; charset=utf-8';

/** Every row was taken: write what became of each, and the rows to mend in a file that can be imported again. */
export async function finishContactImport(
  ctx: Ctx,
  importId: number,
  file: { key: string; bytes: number },
): Promise<void> {
  const row = await ctx.transaction((t) => importById(t.tx, t.companyId, importId));
  if (row?.state !== 'running') return;
  const headers = row.headers as string[];
  const wholeRow = (cells: readonly string[]) => headers.map((_, i) => cells[i] ?? '');
  let mistakes = 0;
  async function* lines(
    head: readonly string[],
    line: (k: Kept, cells: readonly string[]) => string,
  ): AsyncGenerator<Buffer> {
    yield Buffer.from(`${BYTE_ORDER_MARK}${csvLine(head)}`);
    let n = 0;
    for await (const rows of storedRows(ctx, file, 0, STEP_ROWS)) {
      const chunk = await ctx.transaction((t) => chunkOf(t.tx, t.companyId, importId, n));
      const kept = (chunk?.rows ?? []) as unknown as Kept[];
      const text = rows.map((r, i) => (kept[i] ? line(kept[i], r.cells) : '')).join('');
      if (text) yield Buffer.from(text);
      n++;
    }
  }
  const result = await ctx.files.receive(
    ctx.companyId,
    TYPE,
    lines(['Row', 'Outcome', 'Problem', ...headers], (k, cells) =>
      csvLine([String(k.r), k.o, problemOf(k) ?? '', ...wholeRow(cells)]),
    ),
    ctx.now,
  );
  const toMend =
    row.skipped + row.noted === 0
      ? null
      : await ctx.files.receive(
          ctx.companyId,
          TYPE,
          lines([...headers, 'Problem'], (k, cells) =>
            isMistake(k) ? (mistakes++, csvLine([...wholeRow(cells), problemOf(k) ?? ''])) : '',
          ),
          ctx.now,
        );
  const old = await ctx.transaction(async (t) => {
    const now = await holdImport(t.tx, t.companyId, importId);
    if (now?.state !== 'running') return null;
    const enter = (received: typeof result, name: string) =>
      t.files.enter(
        t.tx,
        t.companyId,
        { name, contentType: TYPE, purpose: 'contact-import', received },
        t.now,
      );
    const resultFile = await enter(
      result,
      `${row.file_name.replace(/\.(csv|xlsx|txt|tsv)$/i, '')} result.csv`,
    );
    const mistakesFile =
      toMend && mistakes ? await enter(toMend, mistakesName(row.file_name)) : null;
    if (now.mistakes_file_id !== null)
      await t.files.forget(t.tx, t.companyId, now.mistakes_file_id, t.now);
    const oldKey =
      now.mistakes_file_id === null ? null : await fileKey(t.tx, t.companyId, now.mistakes_file_id);
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
        created: now.created,
        updated: now.updated,
        skipped: now.skipped,
      },
    });
    await t.say(contactImportCompleted, {
      batchId: row.batch_id!,
      progress: 100,
      processed: row.row_count,
      total: row.row_count,
      failed: batch?.failed ?? 0,
      resultUrl: screenOf(importId),
    });
    await t.say(contactsChanged, {
      what: 'added',
      count: now.created + now.updated,
      batchId: row.batch_id!,
    });
    return {
      remove: [...(toMend && !mistakes ? [toMend.key] : []), ...(oldKey ? [oldKey.key] : [])],
    };
  });
  for (const key of old?.remove ?? [result.key, ...(toMend ? [toMend.key] : [])])
    await ctx.files.bytes.remove(key);
}
