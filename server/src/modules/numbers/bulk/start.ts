import type { numbers as contract, Answer, Body } from '#contract';
import { entityOf } from '#contract/fields/rules';
import { createBatch } from '../../../platform/batches.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { fieldsFor, readValues, tagsByName } from '../../fields/index.ts';
import { withFieldConditions } from '../list-numbers.ts';
import { idsMatching } from '../store-lists.ts';
import { requireTemplate } from '../templates/apply-template.ts';
import { releaseKind, updateKind } from '../batch-kinds.ts';
import { updateManyJob, releaseManyJob } from '../job-kinds.ts';

type NumberSelection = Pick<Body<typeof contract.updateNumbersInBulk>, 'ids' | 'all' | 'filters'>;
/**
 * The selected numbers with these statuses that the actor may see. Fails with 422 if there are
 * none.
 */
async function selectedNumberIds(
  ctx: TxCtx,
  selection: NumberSelection,
  statuses: readonly string[],
): Promise<number[]> {
  const ids = await idsMatching(
    ctx.tx,
    ctx.companyId,
    selection.all
      ? { filter: await withFieldConditions(ctx, selection.filters) }
      : { ids: selection.ids },
    ctx.numbers,
    statuses,
    ctx.now,
  );
  if (ids.length === 0)
    invalid({
      ids: selection.all
        ? 'No numbers match these filters.'
        : 'None of these numbers can be changed.',
    });
  return ids;
}

/**
 * Starts a job that applies a patch to many numbers. Fails with 422 if none is selected or the
 * patch is invalid.
 */
export async function updateNumbersInBulk(
  ctx: TxCtx,
  body: Body<typeof contract.updateNumbersInBulk>,
): Promise<Answer<typeof contract.updateNumbersInBulk>> {
  const { patch } = body;
  await requireTemplate(ctx, patch.template_id);
  // New tags are created now, because the person may do that and the job may not.
  const tags = [...(patch.tags ?? []), ...(patch.add_tags ?? [])];
  if (tags.length) await tagsByName(ctx, tags);
  if (patch.eavAttributeValues) {
    const { errors } = readValues(await fieldsFor(ctx, entityOf.number), patch.eavAttributeValues);
    if (Object.keys(errors).length)
      invalid(
        Object.fromEntries(
          Object.entries(errors).map(([key, why]) => [`patch.eavAttributeValues.${key}`, why]),
        ),
      );
  }
  const ids = await selectedNumberIds(ctx, body, ['active', 'suspended', 'parked', 'porting']);
  return {
    data: { batchId: await startBulkUpdate(ctx, ids, patch), status: 'queued', total: ids.length },
  };
}
/** Starts the job without checks; returns the batch's ID. */
export async function startBulkUpdate(
  ctx: TxCtx,
  ids: number[],
  patch: contract.BulkPatch,
): Promise<string> {
  const batchId = await createBatch(ctx, {
    kind: updateKind,
    input: { ids, patch, by: ctx.actor.userId },
    total: ids.length,
  });
  await ctx.enqueue(updateManyJob, { batchId });
  return batchId;
}

/**
 * Starts a job that releases many numbers or, with `undo`, restores them. Fails with 422 if none is
 * selected.
 */
export async function removeNumbersInBulk(
  ctx: TxCtx,
  body: Body<typeof contract.removeNumbersInBulk>,
): Promise<Answer<typeof contract.removeNumbersInBulk>> {
  const ids = await selectedNumberIds(
    ctx,
    body,
    body.undo ? ['releasing'] : ['active', 'suspended', 'parked'],
  );
  const batchId = await createBatch(ctx, {
    kind: releaseKind,
    input: {
      ids,
      undo: body.undo,
      reason: body.reason ?? null,
      by: ctx.actor.userId,
    },
    total: ids.length,
  });
  await ctx.enqueue(releaseManyJob, { batchId });
  return { data: { batchId, status: 'queued', total: ids.length } };
}
