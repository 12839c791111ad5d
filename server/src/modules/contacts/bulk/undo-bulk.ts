import { maxBulkAtOnce } from '#contract/contacts/rules';
import { contactsChanged } from '#contract/contacts/events';
import { readBatch } from '../../../platform/batches.ts';
import { audit } from '../../../platform/audit.ts';
import type { Http } from '../../../platform/routes.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { acquireContactLock } from '../store-many.ts';
import {
  bulkKind,
  revertAction,
  undoneChangeByAction,
  type BulkInput,
  type BulkResult,
} from './actions.ts';
import { countChanged, claimStepToUndo } from './store-bulk.ts';
import { undoStepJob } from '../job-kinds.ts';

/**
 * Undoes a bulk action. More than one step is undone by a job. Fails with `bulk.running` or
 * `bulk.undone`.
 */
export async function undoBulk(ctx: TxCtx, batchId: string, http: Http): Promise<BulkResult> {
  const batch = (await readBatch(ctx.tx, ctx.companyId, batchId, bulkKind)) ?? notFound();
  const { input } = batch;
  if (input.action === 'destroy' && ctx.may('contacts.bulk') === 'none') fail('role.forbidden');
  if (!batch.finishedAt) fail('bulk.running');
  const { changed, undone } = await countChanged(ctx.tx, ctx.companyId, batchId);
  if (changed === undone) fail('bulk.undone');
  await audit(ctx, 'contacts.undone', `batch:${batchId}`, {
    after: { action: input.action, changed },
  });
  const many = changed - undone > maxBulkAtOnce;
  if (many) await ctx.enqueue(undoStepJob, { batchId });
  else while (await undoNextStep(ctx, batchId, input));
  if (many) void http.reply.code(202);
  return {
    data: {
      batchId,
      status: many ? 'queued' : 'finished',
      total: changed - undone,
      changed: many ? 0 : changed - undone,
    },
  };
}
/** Undoes the last step not undone yet. False: there is none. */
async function undoNextStep(ctx: TxCtx, batchId: string, input: BulkInput): Promise<boolean> {
  await acquireContactLock(ctx.tx, ctx.companyId);
  const ids = await claimStepToUndo(ctx.tx, ctx.companyId, batchId, ctx.now);
  if (!ids) return false;
  const count = await revertAction(ctx, input.action, input.target, ids);
  if (count)
    await ctx.publish(contactsChanged, {
      what: undoneChangeByAction[input.action],
      count,
      batchId,
    });
  return true;
}
/** Job: undoes one step and queues the next. */
export async function undoStep(ctx: Ctx, step: { batchId: string }): Promise<void> {
  await ctx.transaction(async (t) => {
    const batch = await readBatch(t.tx, t.companyId, step.batchId, bulkKind);
    if (batch && (await undoNextStep(t, step.batchId, batch.input)))
      await t.enqueue(undoStepJob, { batchId: step.batchId });
  });
}
