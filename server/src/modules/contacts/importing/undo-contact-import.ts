import type { Answer, importing as contract } from '#contract';
import { contactsChanged } from '#contract/contacts/events';
import {
  contactImportChanged,
  contactImportCompleted,
  contactImportProgressed,
} from '#contract/contacts/importing/events';
import { audit } from '../../../platform/audit.ts';
import { advanceBatch, createBatch, finishBatch, presentBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { acquireContactLock } from '../store-many.ts';
import { importPath, UNDO_HOURS } from './present.ts';
import { countChunks, lockStepToUndo, markChunkUndone } from './store-steps.ts';
import { lockImport, importById, patchImport, type ImportRow } from './store.ts';
import { undoRows, type UndoCounts } from './undo-rows.ts';
import { undoKind } from './batch-kinds.ts';
import { undoImportJob } from './job-kinds.ts';

/** Starts undoing an import. Fails with `import.cannot_undo` 24 hours after it finished. */
export async function undoContactImport(
  t: TxCtx,
  importId: number,
): Promise<Answer<typeof contract.undoContactImport>> {
  const row = (await lockImport(t.tx, t.companyId, importId)) ?? notFound();
  if (!canUndo(row, t.now)) fail('import.cannot_undo');
  const total = Math.max(1, await countChunks(t.tx, t.companyId, importId));
  const batchId = await createBatch(t, { kind: undoKind, input: { importId }, total });
  await patchImport(t.tx, t.companyId, importId, {
    state: 'undoing',
    undo_batch_id: batchId,
    undone: JSON.stringify({ removed: 0, restored: 0, kept: 0 }),
  });
  await audit(t, 'contacts.import_undone', `contact_import:${importId}`, {
    before: { created: row.created, updated: row.updated },
  });
  await t.publish(contactImportChanged, { importId, state: 'undoing' });
  await t.enqueue(undoImportJob, { importId, by: t.actor.userId });
  return { data: { batchId, status: 'queued', total } };
}
const canUndo = ({ state, finished_at }: ImportRow, now: Date): boolean =>
  (state === 'finished' || state === 'failed') &&
  finished_at !== null &&
  finished_at.getTime() + UNDO_HOURS * 3_600_000 >= now.getTime();

/** Job: undoes the steps from last to first, each in a transaction. Safe to run twice. */
export async function runContactImportUndo(
  ctx: Ctx,
  importId: number,
  by: number | null,
): Promise<void> {
  const row = await ctx.transaction((t) => importById(t.tx, t.companyId, importId));
  if (row?.state !== 'undoing' || !row.undo_batch_id) return;
  const batchId = row.undo_batch_id;
  while (await ctx.transaction((t) => undoNextStep(t, importId, batchId, by)));
}

/** False: all steps are undone. */
async function undoNextStep(
  t: TxCtx,
  importId: number,
  batchId: string,
  by: number | null,
): Promise<boolean> {
  const current = await lockImport(t.tx, t.companyId, importId);
  if (current?.state !== 'undoing') return false;
  const soFar = current.undone ?? { removed: 0, restored: 0, kept: 0 };
  const step = await lockStepToUndo(t.tx, t.companyId, importId);
  if (!step) {
    await finishUndo(t, importId, batchId, soFar);
    return false;
  }
  await acquireContactLock(t.tx, t.companyId);
  const undone = await undoRows(t, step.records, step.at, by);
  await markChunkUndone(t.tx, t.companyId, importId, step.n, t.now);
  await patchImport(t.tx, t.companyId, importId, {
    undone: JSON.stringify({
      removed: soFar.removed + undone.removed,
      restored: soFar.restored + undone.restored,
      kept: soFar.kept + undone.kept,
    }),
  });
  const stepsUndone = (await countChunks(t.tx, t.companyId, importId)) - step.n - 1;
  const batch = await advanceBatch(
    t.tx,
    t.companyId,
    batchId,
    { from: stepsUndone, processed: 1, keepOpen: true },
    t.now,
  );
  if (batch)
    await t.publish(contactImportProgressed, {
      batchId,
      progress: Math.min(99, presentBatch(batch).progress),
      processed: batch.processed,
      total: batch.total,
      failed: 0,
    });
  return true;
}

async function finishUndo(
  t: TxCtx,
  importId: number,
  batchId: string,
  counts: UndoCounts,
): Promise<void> {
  await patchImport(t.tx, t.companyId, importId, { state: 'undone', undone_at: t.now });
  const total = Math.max(1, await countChunks(t.tx, t.companyId, importId));
  await finishBatch(t.tx, t.companyId, batchId, { processed: total, result: [counts] }, t.now);
  await t.publish(contactImportCompleted, {
    batchId,
    progress: 100,
    processed: total,
    total,
    failed: 0,
    resultUrl: importPath(importId),
  });
  await t.publish(contactsChanged, {
    what: 'deleted',
    count: counts.removed + counts.restored,
    batchId,
  });
}
