import { refusals } from '#contract';
import { contactsChanged } from '#contract/contacts/events';
import {
  contactImportCompleted,
  contactImportProgressed,
} from '#contract/contacts/importing/events';
import type { ImportOptions } from '#contract/contacts/importing/schemas';
import {
  advanceBatch,
  failBatch,
  presentBatch,
  readBatch,
  analyzeTables,
  type Batch,
} from '../../../platform/batches.ts';
import type { Ctx } from '../../../platform/context.ts';
import { finishContactImport } from './finish-contact-import.ts';
import { importPlanOf, type ImportPlan } from './plan-rows.ts';
import { importPath } from './present.ts';
import { problemOf, type ParsedRow } from './rules.ts';
import { stepRows, readStagedRows } from './staging-file.ts';
import {
  advanceImport,
  fileKey,
  lockImport,
  importById,
  insertChunk,
  patchImport,
  type ImportRow,
} from './store.ts';
import { acquireContactLock } from '../store-many.ts';
import { writeImportRows } from './write-rows.ts';
import { publishCreatedContacts } from './publish-created-contacts.ts';

const maxErrors = 100;
const tablesWritten = ['contact', 'contact_group_member', 'contact_label_use', 'opt_out'] as const;

/**
 * The import, step by step, each whole or not at all. A job that was killed goes on from the place its last step left; one
 * that runs twice finds its steps done.
 */
export async function runContactImport(
  ctx: Ctx,
  importId: number,
  attempt: { last: boolean },
): Promise<void> {
  const row = await ctx.transaction((t) => importById(t.tx, t.companyId, importId));
  if (row?.state !== 'running' || row.rows_file_id === null || !row.batch_id) return;
  let publishCreated = async () => {};
  try {
    const file =
      (await ctx.transaction((t) => fileKey(t.tx, t.companyId, row.rows_file_id!))) ??
      missingFile();
    const plan = await ctx.transaction((t) =>
      importPlanOf(t, row, row.mapping as (string | null)[], row.options as ImportOptions),
    );
    publishCreated = () => publishCreatedContacts(ctx, importId, file, plan, stepRows);
    const seen = await numbersBefore(ctx, file, plan, row);
    let processed = row.processed;
    // While the database takes one step, the rows of the next are read.
    let running: Promise<boolean> = Promise.resolve(true);
    for await (const rows of readStagedRows(ctx, file, row.next_byte, stepRows)) {
      const read = rows.map((r) => plan.readRow(r.row, r.cells, r.problem));
      if (!(await running)) return;
      running = runStep(ctx, row, plan, seen, { read, next: rows.at(-1)!.nextByte }, processed);
      running.catch(() => {}); // it is awaited below, maybe a turn later
      // A young database knows nothing of these tables until somebody looks.
      if (processed === 0 && (await running)) await analyzeTables(ctx.db, tablesWritten);
      processed += rows.length;
    }
    if (!(await running)) return;
    await analyzeTables(ctx.db, tablesWritten);
    await publishCreated();
    await finishContactImport(ctx, importId, file);
  } catch (error) {
    if (!attempt.last) throw error;
    ctx.log.error({ err: error, importId }, 'an import failed');
    await publishCreated().catch((late: unknown) => {
      ctx.log.error(
        { err: late, importId },
        'the contacts created by an import could not be published',
      );
    });
    await failImport(ctx, importId);
  }
}
function missingFile(): never {
  throw new Error('the staging file no longer exists');
}

/** Numbers of the rows before the place where the job goes on: a later row with one of them is a duplicate. */
async function numbersBefore(
  ctx: Ctx,
  file: { key: string; bytes: number },
  plan: ImportPlan,
  row: ImportRow,
): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  if (row.next_byte > 0)
    for await (const rows of readStagedRows(ctx, { ...file, bytes: row.next_byte }, 0, stepRows))
      for (const r of rows) {
        const { number } = plan.readRow(r.row, r.cells);
        if (number && !seen.has(number)) seen.set(number, r.row);
      }
  return seen;
}

/** False: another runner did this step. */
const runStep = (
  ctx: Ctx,
  row: ImportRow,
  plan: ImportPlan,
  seen: Map<string, number>,
  rows: { read: readonly ParsedRow[]; next: number },
  processed: number,
): Promise<boolean> =>
  ctx.transaction(async (t) => {
    const current = await lockImport(t.tx, t.companyId, row.id);
    if (current?.state !== 'running' || current.processed !== processed) return false;
    await acquireContactLock(t.tx, t.companyId);
    const results = await writeImportRows(t, plan, row.id, rows.read, seen, row.created_by);
    const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, noted: 0 };
    const skippedBy: Record<string, number> = {};
    const errors: Batch['errors'] = [];
    let failed = 0;
    for (const k of results) {
      counts[k.o]++;
      if (k.o === 'skipped') {
        skippedBy[k.w!] = (skippedBy[k.w!] ?? 0) + 1;
        if (k.w !== 'exists') {
          failed++;
          if (errors.length < maxErrors)
            errors.push({ row: k.r, field: 'number', message: problemOf(k)! });
        }
      } else if (k.n?.length) counts.noted++;
    }
    await insertChunk(
      t.tx,
      t.companyId,
      row.id,
      Math.floor(processed / stepRows),
      t.now,
      JSON.stringify(results),
    );
    await advanceImport(t.tx, t.companyId, row.id, {
      nextByte: rows.next,
      processed: rows.read.length,
      ...counts,
      skippedBy,
    });
    const reportedErrors =
      (await readBatch(t.tx, t.companyId, row.batch_id!, 'contact-import'))?.errors.length ?? 0;
    const batch = await advanceBatch(
      t.tx,
      t.companyId,
      row.batch_id!,
      {
        from: processed,
        processed: rows.read.length,
        failed,
        errors: errors.slice(0, Math.max(0, maxErrors - reportedErrors)),
        keepOpen: true,
      },
      t.now,
    );
    if (!batch) throw new Error('the batch moved without its import');
    await t.publish(contactImportProgressed, {
      batchId: batch.id,
      progress: Math.min(99, presentBatch(batch).progress),
      processed: batch.processed,
      total: batch.total,
      failed: batch.failed,
    });
    return true;
  });

/** What was imported stays, and can be undone; the rest of the file was not. */
const failImport = (ctx: Ctx, importId: number): Promise<void> =>
  ctx.transaction(async (t) => {
    const row = await lockImport(t.tx, t.companyId, importId);
    if (row?.state !== 'running') return;
    await patchImport(t.tx, t.companyId, importId, {
      state: 'failed',
      failure: refusals['import.failed'].text,
      finished_at: t.now,
    });
    const batch = await failBatch(
      t.tx,
      t.companyId,
      row.batch_id!,
      refusals['import.failed'].text,
      t.now,
    );
    await t.publish(contactImportCompleted, {
      batchId: row.batch_id!,
      progress: 100,
      processed: batch?.processed ?? row.processed,
      total: batch?.total ?? row.row_count,
      failed: batch?.failed ?? 0,
      resultUrl: importPath(importId),
      failure: refusals['import.failed'].text,
    });
    if (row.processed)
      await t.publish(contactsChanged, {
        what: 'added',
        count: row.created + row.updated,
        batchId: row.batch_id!,
      });
  });
