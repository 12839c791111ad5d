import { apiErrors } from '#contract';
import { contactsChanged } from '#contract/contacts/events';
import {
  contactImportCompleted,
  contactImportProgressed,
} from '#contract/contacts/importing/events';
import {
  advanceBatch,
  failBatch,
  presentBatch,
  readBatch,
  analyzeTables,
  type Batch,
} from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { acquireContactLock } from '../store-many.ts';
import { readFileNumbers } from './file-numbers.ts';
import type { FileNumbers } from './plan-numbers.ts';
import { importKind } from './batch-kinds.ts';
import { finishContactImport } from './finish-contact-import.ts';
import type { ParsedRow } from './parse-row.ts';
import { importPlanOf, type ImportPlan } from './plan-rows.ts';
import { defaultOptions, importPath } from './present.ts';
import { publishCreatedContacts } from './publish-created-contacts.ts';
import { problemOf, type RowResult } from './rules.ts';
import { stepRows, readStagedRows, type StagedFile } from './staging-file.ts';
import { insertChunk } from './store-steps.ts';
import {
  advanceImport,
  fileKey,
  lockImport,
  importById,
  patchImport,
  type ImportRow,
  type StepCounts,
} from './store.ts';
import { writeImportRows } from './write-rows.ts';

/** Errors kept per batch. */
const maxErrors = 100;
const tablesWritten = ['contact', 'contact_group_member', 'contact_label_use', 'opt_out'] as const;

/** An import while its job runs. */
interface RunningImport {
  row: ImportRow & { batch_id: string };
  file: StagedFile;
  plan: ImportPlan;
  numbers: FileNumbers;
}

/**
 * Job: imports the staged rows, one transaction per step. Safe to run twice and after a crash: it
 * resumes after the last committed step. `attempt.last`: an error now fails the import.
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
    const running = await loadRunning(ctx, { ...row, batch_id: row.batch_id }, row.rows_file_id);
    publishCreated = () => publishCreatedContacts(ctx, importId, running.file, running.plan);
    if (!(await runSteps(ctx, running))) return;
    await analyzeTables(ctx.db, tablesWritten);
    await publishCreated();
    await finishContactImport(ctx, importId, running.file);
  } catch (error) {
    if (!attempt.last) throw error;
    ctx.log.error({ err: error, importId }, 'an import failed');
    await publishCreated().catch((publishError: unknown) => {
      ctx.log.error(
        { err: publishError, importId },
        'the contacts created by an import could not be published',
      );
    });
    await failImport(ctx, importId);
  }
}

const loadRunning = async (
  ctx: Ctx,
  row: RunningImport['row'],
  rowsFileId: number,
): Promise<RunningImport> => {
  const { file, plan } = await ctx.transaction(async (t) => ({
    file: await fileKey(t.tx, t.companyId, rowsFileId),
    plan: await importPlanOf(t, row, row.mapping, { ...defaultOptions, ...row.options }),
  }));
  if (!file) throw new Error('the staging file no longer exists');
  return { row, file, plan, numbers: await readFileNumbers(ctx, file, plan, row.next_byte) };
};

/** Runs all remaining steps. False: another job runs this import. */
async function runSteps(ctx: Ctx, running: RunningImport): Promise<boolean> {
  const { row, file, plan } = running;
  let processed = row.processed;
  // While the database writes a step, the rows of the next one are read.
  let writing: Promise<boolean> = Promise.resolve(true);
  for await (const rows of readStagedRows(ctx, file, row.next_byte, stepRows)) {
    const parsed = rows.map((staged) => plan.readRow(staged.row, staged.cells, staged.problem));
    if (!(await writing)) return false;
    const nextByte = rows.at(-1)?.nextByte ?? file.bytes;
    writing = runStep(ctx, running, { parsed, nextByte, processed });
    writing.catch(() => {}); // awaited below, possibly only after the next rows were read
    // Without statistics on new tables, later steps would be planned badly.
    if (processed === 0 && (await writing)) await analyzeTables(ctx.db, tablesWritten);
    processed += rows.length;
  }
  return writing;
}

interface ImportStep {
  parsed: readonly ParsedRow[];
  /** Where the next step begins in the staging file. */
  nextByte: number;
  /** Rows imported before this step. */
  processed: number;
}
/** Writes one step in a transaction. False: another job has run it already. */
const runStep = (ctx: Ctx, running: RunningImport, step: ImportStep): Promise<boolean> =>
  ctx.transaction(async (t) => {
    const { row, plan, numbers } = running;
    const { parsed, nextByte, processed } = step;
    const current = await lockImport(t.tx, t.companyId, row.id);
    if (current?.state !== 'running' || current.processed !== processed) return false;
    await acquireContactLock(t.tx, t.companyId);
    const records = await writeImportRows(t, plan, row.id, parsed, numbers, row.created_by);
    const n = Math.floor(processed / stepRows);
    await insertChunk(t.tx, t.companyId, row.id, n, t.now, records);
    const { counts, skippedBy, errors, failed } = countResults(records);
    await advanceImport(t.tx, t.companyId, row.id, {
      nextByte,
      processed: parsed.length,
      ...counts,
      skippedBy,
    });
    await advanceProgress(t, row.batch_id, {
      from: processed,
      processed: parsed.length,
      failed,
      errors,
    });
    return true;
  });

function countResults(results: readonly RowResult[]): {
  counts: StepCounts;
  skippedBy: Record<string, number>;
  errors: Batch['errors'];
  failed: number;
} {
  const counts: StepCounts = { created: 0, updated: 0, unchanged: 0, skipped: 0, noted: 0 };
  const skippedBy: Record<string, number> = {};
  const errors: Batch['errors'] = [];
  let failed = 0;
  for (const result of results) {
    const { row, outcome, reason } = result;
    counts[outcome]++;
    if (outcome !== 'skipped') {
      if (result.notes?.length) counts.noted++;
      continue;
    }
    if (reason) skippedBy[reason] = (skippedBy[reason] ?? 0) + 1;
    if (reason === 'exists') continue;
    failed++;
    if (errors.length < maxErrors)
      errors.push({ row, field: 'number', message: problemOf(result) ?? '' });
  }
  return { counts, skippedBy, errors, failed };
}

async function advanceProgress(
  t: TxCtx,
  batchId: string,
  step: { from: number; processed: number; failed: number; errors: Batch['errors'] },
): Promise<void> {
  const before = await readBatch(t.tx, t.companyId, batchId, importKind);
  const remainingErrors = Math.max(0, maxErrors - (before?.errors.length ?? 0));
  const batch = await advanceBatch(
    t.tx,
    t.companyId,
    batchId,
    { ...step, errors: step.errors.slice(0, remainingErrors), keepOpen: true },
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
}

/** Ends the import as failed. What was imported stays, and can be undone. */
const failImport = (ctx: Ctx, importId: number): Promise<void> =>
  ctx.transaction(async (t) => {
    const row = await lockImport(t.tx, t.companyId, importId);
    if (row?.state !== 'running' || !row.batch_id) return;
    const failure = apiErrors['import.failed'].text;
    await patchImport(t.tx, t.companyId, importId, {
      state: 'failed',
      failure,
      finished_at: t.now,
    });
    const batch = await failBatch(t.tx, t.companyId, row.batch_id, failure, t.now);
    await t.publish(contactImportCompleted, {
      batchId: row.batch_id,
      progress: 100,
      processed: batch?.processed ?? row.processed,
      total: batch?.total ?? row.row_count,
      failed: batch?.failed ?? 0,
      resultUrl: importPath(importId),
      failure,
    });
    if (row.processed)
      await t.publish(contactsChanged, {
        what: 'added',
        count: row.created + row.updated,
        batchId: row.batch_id,
      });
  });
