import { numbers as contract } from '#contract';
import { advanceBatch, presentBatch, readBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { Refusal } from '../../../platform/refuse.ts';
import { actorNamed } from '../actor-named.ts';
import { changeNumber } from '../change-number.ts';
import { releaseOrKeep } from '../remove-number.ts';
import { numberView } from '../store.ts';
import { applyTemplate } from '../templates/apply-template.ts';
import type { ReleaseMany, UpdateMany } from './begin.ts';

const AT_ONCE = 25;

/**
 * Do a batch some at a time. Each step is one transaction that also moves the batch on, so a job that dies goes on where it
 * stopped. A number that refuses is told with its reason and holds up nobody.
 */
async function run<I extends { ids: number[]; by: number }>(
  ctx: Ctx,
  batchId: string,
  kind: 'update-numbers' | 'release-numbers',
  change: (t: TxCtx, id: number, input: I) => Promise<void>,
): Promise<void> {
  const [moved, completed] =
    kind === 'update-numbers'
      ? [contract.updateNumbersMoved, contract.updateNumbersCompleted]
      : [contract.releaseNumbersMoved, contract.releaseNumbersCompleted];
  for (;;) {
    const batch = await ctx.transaction((t) => readBatch(t.tx, t.companyId, batchId, kind));
    if (!batch || batch.finishedAt) return;
    const input = batch.input as I;
    const ids = input.ids.slice(batch.processed, batch.processed + AT_ONCE);
    const actor = await actorNamed(ctx, input.by);
    await ctx.transaction(async (system) => {
      // Told under the name of who asked, as a person of the company.
      const t: TxCtx = actor.kind === 'user' ? { ...system, actor, role: 'administrator' } : system;
      const errors: { row: number; field: string; message: string }[] = [];
      for (const [i, id] of ids.entries()) {
        try {
          await change(t, id, input);
        } catch (error) {
          // Verbs refuse before they write, so nothing of this one stays.
          if (!(error instanceof Refusal)) throw error;
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
      if (!now) throw new Error(`batch ${batchId} was moved on by somebody else`);
      const news = {
        batchId,
        progress: presentBatch(now).progress,
        processed: now.processed,
        total: now.total,
        failed: now.failed,
      };
      if (now.finishedAt) await t.say(completed, { ...news, resultUrl: now.resultUrl });
      else await t.say(moved, news);
    });
  }
}

export const updateMany = (ctx: Ctx, { batchId }: { batchId: string }) =>
  run<UpdateMany>(ctx, batchId, 'update-numbers', changeOne);
export const releaseMany = (ctx: Ctx, { batchId }: { batchId: string }) =>
  run<ReleaseMany>(ctx, batchId, 'release-numbers', (t, id, { undo, reason }) =>
    releaseOrKeep(t, id, { undo, reason }),
  );

async function changeOne(t: TxCtx, id: number, { patch }: UpdateMany): Promise<void> {
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
