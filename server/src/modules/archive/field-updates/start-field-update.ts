import { z } from 'zod';
import { fileDays } from '#contract/archive/field-updates/rules';
import { fieldUpdateChanged } from '#contract/archive/field-updates/events';
import { audit } from '../../../platform/audit.ts';
import { batchKind } from '../../../platform/batch-kind.ts';
import { createBatch, type Batch } from '../../../platform/batches.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { stagingLine, type FileRow } from '../../contacts/index.ts';
import { fieldUpdateJob } from './job-kinds.ts';
import { entityTypeIdOf } from './kinds.ts';
import type { UploadedRows } from './read-upload.ts';
import { insertUpdate, type UpdateRow } from './store.ts';

/** Batches of runs and of undoing them. */
export const RUN_KIND = batchKind('field-update', z.object({}));
export const UNDO_KIND = batchKind('field-update-undo', z.object({ by: z.number() }));
const DAY_MS = 86_400_000;

/** What a run in one company starts from: a file, or a part of an organization's. */
type RunInput = Omit<UploadedRows, 'idAt' | 'rows'> & {
  rows: readonly FileRow[];
  organizationUpdateId: string | null;
};

/** Keeps the file with its rows and queues the job that applies it, in the caller's transaction. */
export async function startRun(t: TxCtx, input: RunInput): Promise<UpdateRow> {
  const deleteAfter = new Date(t.now.getTime() + fileDays * DAY_MS);
  const save = (name: string, contentType: string, bytes: Buffer) =>
    t.files.save(
      t.tx,
      t.companyId,
      { name, contentType, bytes, purpose: 'field-update', deleteAfter },
      t.now,
    );
  const file = await save(input.name, input.contentType, input.bytes);
  const rows = await save(
    `${input.name}.rows`,
    'application/x-ndjson',
    Buffer.from(input.rows.map(stagingLine).join('')),
  );
  const total = input.rows.length;
  const batchId = await createBatch(t, { kind: RUN_KIND, input: {}, total });
  const row = await insertUpdate(t.tx, {
    company_id: t.companyId,
    organization_update_id: input.organizationUpdateId,
    file_name: input.name,
    file_id: file.id,
    rows_file_id: rows.id,
    entity_type_id: entityTypeIdOf(input.type),
    id_column: input.idColumn,
    headers: input.headers,
    batch_id: batchId,
    created_by: t.actor.userId || null,
    created_by_name: t.actor.name,
    created_at: t.now,
  });
  await audit(t, 'fields.updated_by_file', `field_update:${row.id}`, {
    after: { file: input.name, entityType: input.type, rows: total },
  });
  await publishRun(t, row, { processed: 0, total, failed: 0 });
  await t.enqueue(fieldUpdateJob, { updateId: row.id });
  return row;
}

/** Publishes where a run or its undo is. */
export const publishRun = (
  t: TxCtx,
  { id: updateId, state, batch_id, undo_batch_id }: UpdateRow,
  { processed, total, failed }: Pick<Batch, 'processed' | 'total' | 'failed'>,
): Promise<void> =>
  t.publish(fieldUpdateChanged, {
    companyId: t.companyId,
    updateId,
    batchId: undo_batch_id ?? batch_id,
    state,
    progress: total ? Math.floor((processed / total) * 100) : 100,
    processed,
    total,
    failed,
  });
