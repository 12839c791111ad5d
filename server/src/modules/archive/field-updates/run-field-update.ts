import { text } from 'node:stream/consumers';
import { keptErrors } from '#contract/archive/field-updates/rules';
import { advanceBatch, failBatch, readBatch, type Batch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { findFile } from '../../../platform/files.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { stagedRowOf, type FileRow } from '../../contacts/index.ts';
import { starterOf, type Starter } from './acting-as.ts';
import { applyRows, type RowProblem } from './apply-rows.ts';
import { typeOfId } from './kinds.ts';
import { planRows, type PlannedRow } from './plan-rows.ts';
import { publishRun, RUN_KIND } from './start-field-update.ts';
import { insertChanges, lockUpdate, patchUpdate, type UpdateRow } from './store.ts';

/** Rows per transaction. */
const stepRows = 50;

const ended = 'The person who started this can’t change these anymore.';
const broken = 'Something went wrong. Upload the file again.';

/**
 * Job: applies the rows of a file, a step per transaction, in the name of the person who uploaded
 * it and with their rights of that moment. Safe to run twice and after a crash. `attempt.last`: an
 * error now fails the run; what was changed stays and can be undone.
 */
export async function runFieldUpdate(
  ctx: Ctx,
  updateId: number,
  attempt: { last: boolean },
): Promise<void> {
  const row = await ctx.transaction((t) => lockUpdate(t.tx, t.companyId, updateId));
  if (row?.state !== 'running') return;
  try {
    const rows = await stagedRows(ctx, row);
    const plan = await ctx.transaction((t) => planRows(t, row, typeOfId(row.entity_type_id), rows));
    if (typeof plan === 'string') return await failRun(ctx, updateId, plan);
    for (;;) {
      const starter = await starterOf(ctx, row, row.created_by);
      if (!starter) return await failRun(ctx, updateId, ended);
      if (!(await ctx.transaction((t) => runStep(t, updateId, plan, starter)))) return;
    }
  } catch (error) {
    if (!attempt.last) throw error;
    ctx.log.error({ err: error, updateId }, 'a file of custom fields failed');
    await failRun(ctx, updateId, broken);
  }
}

async function stagedRows(ctx: Ctx, row: UpdateRow): Promise<FileRow[]> {
  const id = mustBe(row.rows_file_id, 'the rows of a running file');
  const file = await ctx.transaction((t) => findFile(t.tx, t.companyId, id));
  const stream = await ctx.files.blobs.stream(mustBe(file, 'the rows of a running file').key);
  return (await text(stream)).trimEnd().split('\n').map(stagedRowOf);
}

/** Runs the next step. False: there was none left. */
async function runStep(
  t: TxCtx,
  updateId: number,
  plan: readonly PlannedRow[],
  starter: Starter,
): Promise<boolean> {
  const row = await lockUpdate(t.tx, t.companyId, updateId);
  if (row?.state !== 'running') return false;
  const batch = mustBe(await readBatch(t.tx, t.companyId, row.batch_id, RUN_KIND), 'its batch');
  const step = plan.slice(batch.processed, batch.processed + stepRows);
  const { applied, problems } = await applyRows(
    starter.acting(t),
    typeOfId(row.entity_type_id),
    step.flatMap((one) => (one && 'values' in one ? [one.values] : [])),
  );
  await insertChanges(
    t.tx,
    row,
    applied.map(({ row: row_number, entityId: entity_id, changes }) => ({
      row_number,
      entity_id,
      changes,
    })),
    t.now,
  );
  problems.push(...step.flatMap((one) => (one && 'problem' in one ? [one.problem] : [])));
  const after = await advance(t, batch, step.length, problems);
  const isDone = after.finishedAt !== null;
  const now = await patchUpdate(t.tx, t.companyId, updateId, {
    changed: row.changed + applied.length,
    ...(isDone ? { state: 'finished', finished_at: t.now } : {}),
  });
  await publishRun(t, now, after);
  return !isDone;
}

async function advance(
  t: TxCtx,
  batch: Batch,
  processed: number,
  problems: RowProblem[],
): Promise<Batch> {
  const errors = problems
    .sort((a, b) => a.row - b.row)
    .slice(0, Math.max(0, keptErrors - batch.errors.length));
  const step = { from: batch.processed, processed, failed: problems.length, errors };
  const after = await advanceBatch(t.tx, t.companyId, batch.id, step, t.now);
  if (!after) throw new Error(`batch ${batch.id} was advanced by another process`);
  return after;
}

/** Ends a run with a sentence that says why. What it changed stays. */
const failRun = (ctx: Ctx, updateId: number, failure: string): Promise<void> =>
  ctx.transaction(async (t) => {
    const row = await lockUpdate(t.tx, t.companyId, updateId);
    if (row?.state !== 'running') return;
    const batch = await failBatch(t.tx, t.companyId, row.batch_id, failure, t.now);
    const now = await patchUpdate(t.tx, t.companyId, updateId, {
      state: 'failed',
      failure,
      finished_at: t.now,
    });
    await publishRun(t, now, mustBe(batch, 'the batch of a running file'));
  });
