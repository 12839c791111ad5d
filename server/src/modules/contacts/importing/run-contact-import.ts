import { refusals } from '#contract';
import { contactsChanged } from '#contract/contacts';
import {
  contactImportCompleted,
  contactImportMoved,
  type ImportOptions,
} from '#contract/importing';
import {
  advanceBatch,
  failBatch,
  presentBatch,
  readBatch,
  takeStatistics,
  type Batch,
} from '../../../platform/batches.ts';
import type { Ctx } from '../../../platform/context.ts';
import { finishContactImport } from './finish-contact-import.ts';
import { planOf, type Plan } from './look-at-rows.ts';
import { screenOf } from './present.ts';
import { problemOf, type ReadRow } from './rules.ts';
import { STEP_ROWS, storedRows } from './row-file.ts';
import {
  advanceImport,
  fileKey,
  holdImport,
  importById,
  insertChunk,
  patchImport,
  type ImportRow,
} from './store.ts';
import { takeTurn } from '../store-many.ts';
import { takeRows } from './take-rows.ts';
import { tellOfNew } from './tell-of-new.ts';

const MOST_ERRORS = 100;
const touched = ['contact', 'contact_group_member', 'contact_label_use', 'opt_out'] as const;

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
  let tell = async () => {};
  try {
    const file =
      (await ctx.transaction((t) => fileKey(t.tx, t.companyId, row.rows_file_id!))) ??
      missingFile();
    const plan = await ctx.transaction((t) =>
      planOf(t, row, row.mapping as (string | null)[], row.options as ImportOptions),
    );
    tell = () => tellOfNew(ctx, importId, file, plan, STEP_ROWS);
    const seen = await seenBefore(ctx, file, plan, row);
    let processed = row.processed;
    // While the database takes one step, the rows of the next are read.
    let running: Promise<boolean> = Promise.resolve(true);
    for await (const rows of storedRows(ctx, file, row.next_byte, STEP_ROWS)) {
      const read = rows.map((r) => plan.read(r.row, r.cells, r.fault));
      if (!(await running)) return;
      running = step(ctx, row, plan, seen, { read, next: rows.at(-1)!.next }, processed);
      running.catch(() => {}); // it is awaited below, maybe a turn later
      // A young database knows nothing of these tables until somebody looks.
      if (processed === 0 && (await running)) await takeStatistics(ctx.db, touched);
      processed += rows.length;
    }
    if (!(await running)) return;
    await takeStatistics(ctx.db, touched);
    await tell();
    await finishContactImport(ctx, importId, file);
  } catch (error) {
    if (!attempt.last) throw error;
    ctx.log.error({ err: error, importId }, 'an import failed');
    await tell().catch((late: unknown) => {
      ctx.log.error({ err: late, importId }, 'what an import made could not be told');
    });
    await giveUp(ctx, importId);
  }
}
function missingFile(): never {
  throw new Error('the file of rows is gone');
}

/** Numbers of the rows before the place where the job goes on: a later row with one of them is a duplicate. */
async function seenBefore(
  ctx: Ctx,
  file: { key: string; bytes: number },
  plan: Plan,
  row: ImportRow,
): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  if (row.next_byte > 0)
    for await (const rows of storedRows(ctx, { ...file, bytes: row.next_byte }, 0, STEP_ROWS))
      for (const r of rows) {
        const { number } = plan.read(r.row, r.cells);
        if (number && !seen.has(number)) seen.set(number, r.row);
      }
  return seen;
}

/** False: another runner did this step. */
const step = (
  ctx: Ctx,
  row: ImportRow,
  plan: Plan,
  seen: Map<string, number>,
  rows: { read: readonly ReadRow[]; next: number },
  processed: number,
): Promise<boolean> =>
  ctx.transaction(async (t) => {
    const now = await holdImport(t.tx, t.companyId, row.id);
    if (now?.state !== 'running' || now.processed !== processed) return false;
    await takeTurn(t.tx, t.companyId);
    const kept = await takeRows(t, plan, row.id, rows.read, seen, row.created_by);
    const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, noted: 0 };
    const skippedBy: Record<string, number> = {};
    const errors: Batch['errors'] = [];
    let failed = 0;
    for (const k of kept) {
      counts[k.o]++;
      if (k.o === 'skipped') {
        skippedBy[k.w!] = (skippedBy[k.w!] ?? 0) + 1;
        if (k.w !== 'exists') {
          failed++;
          if (errors.length < MOST_ERRORS)
            errors.push({ row: k.r, field: 'number', message: problemOf(k)! });
        }
      } else if (k.n?.length) counts.noted++;
    }
    await insertChunk(
      t.tx,
      t.companyId,
      row.id,
      Math.floor(processed / STEP_ROWS),
      t.now,
      JSON.stringify(kept),
    );
    await advanceImport(t.tx, t.companyId, row.id, {
      nextByte: rows.next,
      processed: rows.read.length,
      ...counts,
      skippedBy,
    });
    const known =
      (await readBatch(t.tx, t.companyId, row.batch_id!, 'contact-import'))?.errors.length ?? 0;
    const batch = await advanceBatch(
      t.tx,
      t.companyId,
      row.batch_id!,
      {
        from: processed,
        processed: rows.read.length,
        failed,
        errors: errors.slice(0, Math.max(0, MOST_ERRORS - known)),
        hold: true,
      },
      t.now,
    );
    if (!batch) throw new Error('the batch moved without its import');
    await t.say(contactImportMoved, {
      batchId: batch.id,
      progress: Math.min(99, presentBatch(batch).progress),
      processed: batch.processed,
      total: batch.total,
      failed: batch.failed,
    });
    return true;
  });

/** What was imported stays, and can be undone; the rest of the file was not. */
const giveUp = (ctx: Ctx, importId: number): Promise<void> =>
  ctx.transaction(async (t) => {
    const row = await holdImport(t.tx, t.companyId, importId);
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
    await t.say(contactImportCompleted, {
      batchId: row.batch_id!,
      progress: 100,
      processed: batch?.processed ?? row.processed,
      total: batch?.total ?? row.row_count,
      failed: batch?.failed ?? 0,
      resultUrl: screenOf(importId),
      failure: refusals['import.failed'].text,
    });
    if (row.processed)
      await t.say(contactsChanged, {
        what: 'added',
        count: row.created + row.updated,
        batchId: row.batch_id!,
      });
  });
