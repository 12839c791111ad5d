import { sql } from 'kysely';
import type { BatchKind } from './batch-kind.ts';
import type { TxCtx } from './context.ts';
import type { Db, Tx } from './db.ts';

/**
 * Tables that bulk work writes, whose statistics the application may refresh (010_platform.sql).
 */
type BulkTable =
  | 'contact'
  | 'contact_number'
  | 'contact_activity'
  | 'contact_group_member'
  | 'contact_label_use'
  | 'opt_out'
  | 'campaign_recipient'
  | 'number';
/**
 * Refreshes a table's statistics after a bulk write, so that the planner does not wait for
 * autovacuum.
 */
export const analyzeTables = async (
  db: Pick<Db, 'unscoped'>,
  tables: readonly BulkTable[],
): Promise<void> => {
  await sql`select analyze_tables(${[...tables]}::text[])`.execute(db.unscoped);
};

/** A long job (A1 "Async job"): its input and its progress. */
export interface Batch<Input = unknown> {
  id: string;
  kind: string;
  input: Input;
  total: number;
  processed: number;
  failed: number;
  errors: { row: number; field: string; message: string }[];
  result: unknown[];
  resultUrl: string | null;
  createdBy: number | null;
  finishedAt: Date | null;
}

interface BatchRow {
  id: string;
  kind: string;
  input: unknown;
  total: number;
  processed: number;
  failed: number;
  errors: unknown;
  result: unknown;
  result_url: string | null;
  created_by: number | null;
  finished_at: Date | null;
}
const toBatch = (row: BatchRow): Batch => ({
  id: row.id,
  kind: row.kind,
  input: row.input,
  total: row.total,
  processed: row.processed,
  failed: row.failed,
  errors: row.errors as Batch['errors'],
  result: row.result as unknown[],
  resultUrl: row.result_url,
  createdBy: row.created_by,
  finishedAt: row.finished_at && new Date(row.finished_at),
});

/** Creates a batch. The caller enqueues its job in the same transaction. */
export async function createBatch<Input>(
  ctx: TxCtx,
  batch: { kind: BatchKind<Input>; input: NoInfer<Input>; total: number },
): Promise<string> {
  const row = await ctx.tx
    .insertInto('batch')
    .values({
      company_id: ctx.companyId,
      kind: batch.kind.name,
      input: JSON.stringify(batch.input),
      total: batch.total,
      created_by: ctx.actor.userId || null,
      created_at: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/**
 * A batch of this kind, with its input and progress. Null: none of this ID and kind. Throws when its
 * input has another shape.
 */
export async function readBatch<Input>(
  tx: Tx,
  companyId: number,
  id: string,
  kind: BatchKind<Input>,
): Promise<Batch<Input> | null> {
  const batch = await readProgress(tx, companyId, id, kind.name);
  return batch && { ...batch, input: kind.input.parse(batch.input) };
}

/** The progress and result of a batch of this kind. Null: none of this ID and kind. */
export async function readProgress(
  tx: Tx,
  companyId: number,
  id: string,
  kind: string,
): Promise<Batch | null> {
  const row = await tx
    .selectFrom('batch')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row ? toBatch(row) : null;
}

/**
 * Records a finished step; `from` is what `processed` was before it. Finishes the batch when
 * nothing is left, unless `hold` is set because work follows the last step (`finishBatch` ends it
 * then). `failed` counts rows that have no error of their own.
 * @returns null when this step was recorded before (the job ran twice): roll back, so that nothing
 * counts twice
 */
export async function advanceBatch(
  tx: Tx,
  companyId: number,
  id: string,
  step: {
    from: number;
    processed: number;
    failed?: number;
    keepOpen?: boolean;
    errors?: Batch['errors'];
    result?: readonly unknown[];
    resultUrl?: string | null;
  },
  now: Date,
): Promise<Batch | null> {
  const errors = step.errors ?? [];
  const { rows } = await sql<BatchRow>`
    update batch set processed = processed + ${step.processed}, failed = failed +
      ${step.failed ?? errors.length}, errors = errors || ${JSON.stringify(errors)}::jsonb,
      result = result || ${JSON.stringify(step.result ?? [])}::jsonb,
      result_url = coalesce(${step.resultUrl ?? null}, result_url),
        finished_at = case when not ${step.keepOpen ?? false}::boolean
          and processed + ${step.processed} >= total then ${now}::timestamptz end
    where company_id = ${companyId}
      and id = ${id} and processed = ${step.from} and finished_at is null returning *`.execute(tx);
  return rows[0] ? toBatch(rows[0]) : null;
}

/**
 * Finishes a batch whose job starts over after a crash (a file is written whole or not at all) and
 * whose total was an estimate: the real count replaces it. Null when it was finished already.
 */
export async function setBatchProgress(
  tx: Tx,
  companyId: number,
  id: string,
  processed: number,
): Promise<Batch | null> {
  const { rows } = await sql<BatchRow>`update batch set processed = ${processed},
      total = greatest(total, ${processed}) where company_id = ${companyId}
      and id = ${id} and finished_at is null returning *`.execute(tx);
  return rows[0] ? toBatch(rows[0]) : null;
}
/** Marks a batch as finished with its result. Null: it was finished before, or doesn't exist. */
export async function finishBatch(
  tx: Tx,
  companyId: number,
  id: string,
  done: { processed: number; result: readonly unknown[] },
  now: Date,
): Promise<Batch | null> {
  const { rows } =
    await sql<BatchRow>`update batch set processed = ${done.processed}, total = ${done.processed},
      result = ${JSON.stringify(done.result)}::jsonb, finished_at = ${now}::timestamptz
    where company_id = ${companyId} and id = ${id} and finished_at is null returning *`.execute(tx);
  return rows[0] ? toBatch(rows[0]) : null;
}
/** Fails the batch with a reason. */
export async function failBatch(
  tx: Tx,
  companyId: number,
  id: string,
  reason: string,
  now: Date,
): Promise<Batch | null> {
  const { rows } = await sql<BatchRow>`update batch set total = greatest(total, 1),
      processed = greatest(processed, 1), failed = greatest(failed, 1),
      errors = errors || ${JSON.stringify([{ row: 0, field: 'file', message: reason }])}::jsonb,
      finished_at = ${now}::timestamptz
    where company_id = ${companyId} and id = ${id} and finished_at is null returning *`.execute(tx);
  return rows[0] ? toBatch(rows[0]) : null;
}
/** A batch of any kind like `kindLike` that this user requested. Null: none. */
export async function readOwnBatch(
  tx: Tx,
  companyId: number,
  id: string,
  kindLike: string,
  createdBy: number,
): Promise<Batch | null> {
  const row = await tx
    .selectFrom('batch')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('kind', 'like', kindLike)
    .where('created_by', '=', createdBy)
    .executeTakeFirst();
  return row ? toBatch(row) : null;
}

/** How many batches of this kind the user has started since then. */
export const countBatchesSince = async (
  tx: Tx,
  companyId: number,
  kindLike: string,
  createdBy: number,
  since: Date,
): Promise<number> =>
  (
    await tx
      .selectFrom('batch')
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('company_id', '=', companyId)
      .where('kind', 'like', kindLike)
      .where('created_by', '=', createdBy)
      .where('created_at', '>', since)
      .executeTakeFirstOrThrow()
  ).n;

/** The progress of a batch as A1 describes it. */
export const presentBatch = (batch: Batch) => ({
  id: batch.id,
  progress: batch.total === 0 ? 100 : Math.floor((batch.processed / batch.total) * 100),
  finishedAt: batch.finishedAt?.toISOString() ?? null,
  total: batch.total,
  processed: batch.processed,
  failed: batch.failed,
  resultUrl: batch.resultUrl,
  errors: batch.errors,
});
