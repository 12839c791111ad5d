import type { Answer, fieldUpdates as contract } from '#contract';
import { audit } from '../../../platform/audit.ts';
import { advanceBatch, createBatch, readBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { firstOf, mustBe } from '../../../platform/must-be.ts';
import { requireChanging, starterOf } from './acting-as.ts';
import { applyRows, ownValues } from './apply-rows.ts';
import { undoFieldUpdateJob } from './job-kinds.ts';
import { typeOfId } from './kinds.ts';
import { presentUpdates } from './present.ts';
import { undoUntil } from './rules.ts';
import { publishRun, UNDO_KIND } from './start-field-update.ts';
import {
  changesToUndo,
  countChanges,
  lockUpdate,
  patchUpdate,
  type RowChange,
  type UpdateRow,
} from './store.ts';

const stepRows = 50;

/**
 * Starts undoing a run. Fails with 404, `role.forbidden` for objects that the actor can't change, or
 * `field_update.cannot_undo`.
 */
export async function undoFieldUpdate(
  t: TxCtx,
  updateId: number,
): Promise<Answer<typeof contract.undoFieldUpdate>> {
  const row = (await lockUpdate(t.tx, t.companyId, updateId)) ?? notFound();
  requireChanging(t, typeOfId(row.entity_type_id));
  const until = undoUntil(row);
  if (!until || until < t.now) fail('field_update.cannot_undo');
  return { data: firstOf(await presentUpdates(t, [await startUndo(t, row)])) };
}

/** Starts undoing a run that can be undone. */
export async function startUndo(t: TxCtx, { id, changed }: UpdateRow): Promise<UpdateRow> {
  const total = await countChanges(t.tx, t.companyId, id);
  const by = t.actor.userId;
  const batchId = await createBatch(t, { kind: UNDO_KIND, input: { by }, total });
  const row = await patchUpdate(t.tx, t.companyId, id, {
    state: 'undoing',
    undo_batch_id: batchId,
  });
  await audit(t, 'fields.update_undone', `field_update:${id}`, { before: { changed } });
  await publishRun(t, row, { processed: 0, total, failed: 0 });
  await t.enqueue(undoFieldUpdateJob, { updateId: id });
  return row;
}

/**
 * Job: sets back what the rows of a run changed, the last row first, a step per transaction. Values
 * that are others by now stay. Safe to run twice.
 */
export async function runFieldUpdateUndo(ctx: Ctx, updateId: number): Promise<void> {
  while (await undoNextStep(ctx, updateId));
}

/** False: nothing is left to undo. */
async function undoNextStep(ctx: Ctx, updateId: number): Promise<boolean> {
  const row = await ctx.transaction((t) => lockUpdate(t.tx, t.companyId, updateId));
  if (row?.state !== 'undoing' || !row.undo_batch_id) return false;
  const batchId = row.undo_batch_id;
  const { createdBy } = await ctx.transaction(async (t) =>
    mustBe(await readBatch(t.tx, t.companyId, batchId, UNDO_KIND), 'the batch of an undo'),
  );
  const starter = await starterOf(ctx, row, createdBy);
  return ctx.transaction(async (t) => {
    const now = await lockUpdate(t.tx, t.companyId, updateId);
    if (now?.state !== 'undoing') return false;
    const batch = mustBe(await readBatch(t.tx, t.companyId, batchId, UNDO_KIND), 'its batch');
    const rows = await changesToUndo(t.tx, t.companyId, updateId, {
      offset: batch.processed,
      limit: stepRows,
    });
    const counts = starter
      ? await setBack(starter.acting(t), row, rows)
      : { restored: 0, kept: rows.flatMap(({ changes }) => changes).length };
    const after = await advanceBatch(
      t.tx,
      t.companyId,
      batchId,
      { from: batch.processed, processed: rows.length },
      t.now,
    );
    if (!after) throw new Error(`batch ${batchId} was advanced by another process`);
    const isDone = after.finishedAt !== null;
    const changed = await patchUpdate(t.tx, t.companyId, updateId, {
      restored: now.restored + counts.restored,
      kept: now.kept + counts.kept,
      ...(isDone ? { state: 'undone' } : {}),
    });
    await publishRun(t, changed, after);
    return !isDone;
  });
}

/** Sets the values of these objects back, except those that are others by now. */
async function setBack(
  t: TxCtx,
  { entity_type_id }: UpdateRow,
  rows: readonly RowChange[],
): Promise<{ restored: number; kept: number }> {
  const type = typeOfId(entity_type_id);
  const current = await ownValues(
    t,
    type,
    rows.map(({ entity_id }) => entity_id),
  );
  const objects = rows.map(({ row_number: row, entity_id: entityId, changes }) => ({
    row,
    entityId,
    values: changes
      .filter(({ id, to }) => (current.get(entityId)?.get(id) ?? null) === to)
      .map(({ id, from }) => ({ attribute_id: id, value: from })),
  }));
  const { applied } = await applyRows(
    t,
    type,
    objects.filter(({ values }) => values.length),
  );
  const restored = applied.flatMap(({ changes }) => changes).length;
  return { restored, kept: rows.flatMap(({ changes }) => changes).length - restored };
}
