import { numbers as contract } from '#contract';
import type { BatchKind } from '../../../platform/batch-kind.ts';
import { advanceBatch, presentBatch, readBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { againIfDeleted } from '../../../platform/deleted-meanwhile.ts';
import { ApiError } from '../../../platform/errors.ts';
import { actorFor } from '../actor-name.ts';
import { changeNumber } from '../change-number.ts';
import { releaseOrRestore } from '../remove-number.ts';
import { numberView } from '../store.ts';
import { applyTemplate } from '../templates/apply-template.ts';
import { releaseKind, updateKind, type BulkUpdate } from '../batch-kinds.ts';

const batchSize = 25;

/**
 * Runs a batch, 25 numbers at a time. Each step is one transaction that also advances the batch, so
 * a retried job continues where it stopped. A number that fails with an API error is reported with
 * its reason; the others continue.
 */
async function runBulk<I extends { ids: number[]; by: number }>(
  ctx: Ctx,
  batchId: string,
  kind: BatchKind<I>,
  change: (t: TxCtx, id: number, input: I) => Promise<void>,
): Promise<void> {
  const [moved, completed] =
    kind.name === updateKind.name
      ? [contract.updateNumbersProgressed, contract.updateNumbersCompleted]
      : [contract.releaseNumbersProgressed, contract.releaseNumbersCompleted];
  for (;;) {
    const batch = await ctx.transaction((t) => readBatch(t.tx, t.companyId, batchId, kind));
    if (!batch || batch.finishedAt) return;
    const { input } = batch;
    const ids = input.ids.slice(batch.processed, batch.processed + batchSize);
    const actor = await actorFor(ctx, input.by);
    const step = async (system: TxCtx) => {
      // Acts in the name of the person who started the batch.
      const t: TxCtx = actor.kind === 'user' ? { ...system, actor, role: 'administrator' } : system;
      const errors: { row: number; field: string; message: string }[] = [];
      for (const [i, id] of ids.entries()) {
        try {
          await change(t, id, input);
        } catch (error) {
          // Actions check before they write, so a failed one changed nothing.
          if (!(error instanceof ApiError)) throw error;
          errors.push({
            row: batch.processed + i + 1,
            field: Object.keys(error.errors ?? {})[0] ?? 'number',
            message: Object.values(error.errors ?? {}).flat()[0] ?? error.message,
          });
        }
      }
      const now = await advanceBatch(
        t.tx,
        t.companyId,
        batchId,
        { from: batch.processed, processed: ids.length, errors },
        t.now,
      );
      if (!now) throw new Error(`batch ${batchId} was advanced by another process`);
      const progress = {
        batchId,
        progress: presentBatch(now).progress,
        processed: now.processed,
        total: now.total,
        failed: now.failed,
      };
      if (now.finishedAt) await t.publish(completed, { ...progress, resultUrl: now.resultUrl });
      else await t.publish(moved, progress);
    };
    await againIfDeleted(ctx, () => ctx.transaction(step));
  }
}

/** Job `numbers.updateMany`. */
export const updateMany = (ctx: Ctx, { batchId }: { batchId: string }) =>
  runBulk(ctx, batchId, updateKind, updateOne);
/** Job `numbers.releaseMany`: releases or restores. */
export const releaseMany = (ctx: Ctx, { batchId }: { batchId: string }) =>
  runBulk(ctx, batchId, releaseKind, (t, id, { undo, reason }) =>
    releaseOrRestore(t, id, { undo, reason }),
  );

async function updateOne(t: TxCtx, id: number, { patch }: BulkUpdate): Promise<void> {
  const { template_id, add_tags, remove_tags, tags, ...own } = patch;
  if (template_id) await applyTemplate(t, id, template_id);
  let wanted = tags;
  if (add_tags || remove_tags) {
    const has =
      tags ?? ((await numberView(t.tx, t.companyId, id, null))?.tags ?? []).map((tag) => tag.name);
    const gone = new Set((remove_tags ?? []).map((name) => name.toLowerCase()));
    wanted = [
      ...new Map(
        [...has, ...(add_tags ?? [])]
          .filter((name) => !gone.has(name.toLowerCase()))
          .map((name) => [name.toLowerCase(), name]),
      ).values(),
    ];
  }
  if (Object.keys(own).length || wanted)
    await changeNumber(t, id, { ...own, ...(wanted ? { tags: wanted } : {}) });
}
