import type { FieldUpdate } from '#contract/archive/field-updates/schemas';
import { presentBatch, readBatch } from '../../../platform/batches.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { findFile } from '../../../platform/files.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { typeOfId } from './kinds.ts';
import { undoUntil } from './rules.ts';
import { RUN_KIND, UNDO_KIND } from './start-field-update.ts';
import type { UpdateRow } from './store.ts';

/** Runs of one company as the API shows them, each with its progress, or that of its undo. */
export async function presentUpdates(t: TxCtx, rows: readonly UpdateRow[]): Promise<FieldUpdate[]> {
  const shown: FieldUpdate[] = [];
  for (const row of rows) shown.push(await presentUpdate(t, row));
  return shown;
}

async function presentUpdate(t: TxCtx, row: UpdateRow): Promise<FieldUpdate> {
  const { tx, companyId, now } = t;
  const batch = mustBe(await readBatch(tx, companyId, row.batch_id, RUN_KIND), 'a run’s batch');
  const undo = row.undo_batch_id && (await readBatch(tx, companyId, row.undo_batch_id, UNDO_KIND));
  const file = row.file_id === null ? undefined : await findFile(tx, companyId, row.file_id);
  const until = undoUntil(row);
  const current = presentBatch(undo || batch);
  return {
    id: row.id,
    batchId: current.id,
    file: {
      name: row.file_name,
      url: file ? t.files.signUrl(companyId, file.id, now) : null,
    },
    entityType: typeOfId(row.entity_type_id),
    status: row.state,
    progress: current.progress,
    total: batch.total,
    processed: batch.processed,
    changed: row.changed,
    failed: batch.failed,
    errors: row.failure === null ? batch.errors : batch.errors.filter((one) => one.row > 0),
    failure: row.failure,
    undone: row.state === 'undone' ? { restored: row.restored, kept: row.kept } : null,
    created_by: { id: row.created_by, name: row.created_by_name },
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    canUndoUntil: until && until >= now ? until.toISOString() : null,
  };
}
