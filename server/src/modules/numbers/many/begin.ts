import type { numbers as contract, Answer, Body } from '#contract';
import { entityOf } from '#contract/field-rules';
import { beginBatch } from '../../../platform/batches.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/refuse.ts';
import { fieldsFor, readValues, tagsNamed } from '../../fields/index.ts';
import { withFields } from '../list-numbers.ts';
import { idsMatching } from '../store.ts';
import { mustBeTemplate } from '../templates/apply-template.ts';

export interface UpdateMany {
  ids: number[];
  patch: contract.BulkPatch;
  by: number;
}
export interface ReleaseMany {
  ids: number[];
  undo: boolean;
  reason: string | null;
  by: number;
}

type Which = Pick<Body<typeof contract.updateNumbersInBulk>, 'ids' | 'all' | 'filters'>;
/** The numbers meant, as they are now, among those the actor may see. */
async function numbersMeant(
  ctx: TxCtx,
  which: Which,
  statuses: readonly string[],
): Promise<number[]> {
  const ids = await idsMatching(
    ctx.tx,
    ctx.companyId,
    which.all ? { filter: await withFields(ctx, which.filters) } : { ids: which.ids },
    ctx.numbers,
    statuses,
    ctx.now,
  );
  if (ids.length === 0)
    invalid({
      ids: which.all ? 'No number fits these filters.' : 'None of these numbers can be changed.',
    });
  return ids;
}

export async function updateNumbersInBulk(
  ctx: TxCtx,
  body: Body<typeof contract.updateNumbersInBulk>,
): Promise<Answer<typeof contract.updateNumbersInBulk>> {
  const { patch } = body;
  await mustBeTemplate(ctx, patch.template_id);
  // Whoever asks may make new tags; the job may not decide that.
  const tags = [...(patch.tags ?? []), ...(patch.add_tags ?? [])];
  if (tags.length) await tagsNamed(ctx, tags);
  if (patch.eavAttributeValues) {
    const { errors } = readValues(await fieldsFor(ctx, entityOf.number), patch.eavAttributeValues);
    if (Object.keys(errors).length)
      invalid(
        Object.fromEntries(
          Object.entries(errors).map(([key, why]) => [`patch.eavAttributeValues.${key}`, why]),
        ),
      );
  }
  const ids = await numbersMeant(ctx, body, ['active', 'suspended', 'parked', 'porting']);
  return {
    data: { batchId: await beginUpdate(ctx, ids, patch), status: 'queued', total: ids.length },
  };
}
export async function beginUpdate(
  ctx: TxCtx,
  ids: number[],
  patch: contract.BulkPatch,
): Promise<string> {
  const batchId = await beginBatch(ctx, {
    kind: 'update-numbers',
    input: { ids, patch, by: ctx.actor.userId } satisfies UpdateMany,
    total: ids.length,
  });
  await ctx.enqueue('numbers.updateMany', { batchId });
  return batchId;
}

export async function removeNumbersInBulk(
  ctx: TxCtx,
  body: Body<typeof contract.removeNumbersInBulk>,
): Promise<Answer<typeof contract.removeNumbersInBulk>> {
  const ids = await numbersMeant(
    ctx,
    body,
    body.undo ? ['releasing'] : ['active', 'suspended', 'parked'],
  );
  const batchId = await beginBatch(ctx, {
    kind: 'release-numbers',
    input: {
      ids,
      undo: body.undo,
      reason: body.reason ?? null,
      by: ctx.actor.userId,
    } satisfies ReleaseMany,
    total: ids.length,
  });
  await ctx.enqueue('numbers.releaseMany', { batchId });
  return { data: { batchId, status: 'queued', total: ids.length } };
}
