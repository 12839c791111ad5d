import { maxBulkAtOnce } from '#contract/contacts/rules';
import {
  contactsBulkCompleted,
  contactsBulkProgressed,
  contactsChanged,
} from '#contract/contacts/events';
import { isBlank } from '#contract/fields/rules';
import { advanceBatch, presentBatch, readBatch, type Batch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { againIfDeleted } from '../../../platform/deleted-meanwhile.ts';
import { findField, fieldsFor } from '../../fields/index.ts';
import { groupsOfIds } from '../groups/store-groups.ts';
import { labelsByIds } from '../labels/store-labels.ts';
import { resolveFilter } from '../resolve-filter.ts';
import { customFieldId } from '../rules.ts';
import { contactIdsAfter, livingContactIdsAmong } from '../store-lists.ts';
import { acquireContactLock } from '../store-many.ts';
import { applyAction, bulkKind, changeByAction, type BulkInput } from './actions.ts';
import { insertBulkStep } from './store-bulk.ts';
import { bulkStepJob } from '../job-kinds.ts';

/** A step of a bulk action: `from` contacts are done, up to the ID `after`. */
interface BulkStep {
  batchId: string;
  from: number;
  after: number;
}
/** Thrown to roll back a step that another run of this job has done. */
class StepAlreadyDone extends Error {}

/**
 * Job: runs one step of up to 1,000 contacts and queues the next. Safe to run twice. Fails as its
 * step fails, and the job is retried.
 */
export async function bulkStep(ctx: Ctx, step: BulkStep): Promise<void> {
  try {
    await againIfDeleted(ctx, () => ctx.transaction((t) => runStep(t, step)));
  } catch (error) {
    if (!(error instanceof StepAlreadyDone)) throw error;
  }
}

async function runStep(t: TxCtx, step: BulkStep): Promise<void> {
  const { batchId, from } = step;
  const batch = await readBatch(t.tx, t.companyId, batchId, bulkKind);
  if (!batch || batch.finishedAt || batch.processed !== from) return;
  const { input } = batch;
  await acquireContactLock(t.tx, t.companyId);
  const deleted = await findDeletedTarget(t, input);
  if (deleted) return failRest(t, batch, deleted);
  const ids = await idsOfStep(t, input, step);
  const actor = { ...t.actor, userId: batch.createdBy ?? 0 };
  const changed = await applyAction({ ...t, actor }, input.action, input.target, ids);
  await insertBulkStep(t.tx, t.companyId, batchId, from / maxBulkAtOnce, changed, t.now);
  const remaining = batch.total - from;
  const isLast = input.contacts ? remaining <= maxBulkAtOnce : ids.length < maxBulkAtOnce;
  const processed = isLast ? remaining : Math.min(maxBulkAtOnce, remaining);
  const advanced = await advanceBatch(t.tx, t.companyId, batchId, { from, processed }, t.now);
  if (!advanced) throw new StepAlreadyDone();
  if (changed.length)
    await t.publish(contactsChanged, {
      what: changeByAction[input.action],
      count: changed.length,
      batchId,
    });
  await publishProgress(t, advanced);
  if (!advanced.finishedAt)
    await t.enqueue(bulkStepJob, {
      batchId,
      from: from + processed,
      after: ids.at(-1) ?? step.after,
    });
}

async function idsOfStep(t: TxCtx, input: BulkInput, { from, after }: BulkStep): Promise<number[]> {
  if (input.contacts) {
    const ids = [...input.contacts].sort((a, b) => a - b).slice(from, from + maxBulkAtOnce);
    return livingContactIdsAmong(t.tx, t.companyId, ids);
  }
  const filter = { ...(await resolveFilter(t, input.filters)), masked: input.masked };
  return contactIdsAfter(t.tx, input.filters, filter, {
    after,
    createdBefore: new Date(input.until),
    limit: maxBulkAtOnce,
  });
}

const publishProgress = (t: TxCtx, batch: Batch): Promise<void> =>
  t.publish(batch.finishedAt ? contactsBulkCompleted : contactsBulkProgressed, {
    batchId: batch.id,
    progress: presentBatch(batch).progress,
    processed: batch.processed,
    total: batch.total,
    failed: batch.failed,
  });

/** Ends the action: all contacts not done yet failed, for this reason. */
async function failRest(
  t: TxCtx,
  batch: Batch,
  error: { field: string; message: string },
): Promise<void> {
  const remaining = batch.total - batch.processed;
  const ended = await advanceBatch(
    t.tx,
    t.companyId,
    batch.id,
    {
      from: batch.processed,
      processed: remaining,
      failed: remaining,
      errors: [{ row: batch.processed + 1, ...error }],
    },
    t.now,
  );
  if (ended)
    await t.publish(contactsBulkCompleted, {
      batchId: ended.id,
      progress: 100,
      processed: ended.processed,
      total: ended.total,
      failed: ended.failed,
    });
}

const deletedTarget = (name: string, field: string) => ({
  field,
  message: `The ${name} was deleted during this action. The remaining contacts weren’t changed.`,
});
/**
 * What the action needs and was deleted since it began: the field and the message; null: nothing.
 */
async function findDeletedTarget(
  t: TxCtx,
  { action, target, filters }: BulkInput,
): Promise<{ field: string; message: string } | null> {
  const needsGroup = action === 'group' || action === 'ungroup';
  const needsLabel = action === 'label' || action === 'unlabel';
  const idsOf = (isTarget: boolean, filtered: number | undefined) => [
    ...(isTarget ? [target] : []),
    ...(filtered ? [filtered] : []),
  ];
  const foundGroups = await groupsOfIds(t.tx, t.companyId, idsOf(needsGroup, filters.groupId));
  const foundLabels = await labelsByIds(t.tx, t.companyId, idsOf(needsLabel, filters.labelId));
  const groups = new Set(foundGroups.map(({ id }) => id));
  const labels = new Set(foundLabels.map(({ id }) => id));
  if (needsGroup && !groups.has(target)) return deletedTarget('group', 'group');
  if (needsLabel && !labels.has(target)) return deletedTarget('label', 'label');
  if (filters.groupId && !groups.has(filters.groupId))
    return deletedTarget('group in the filter', 'filters.groupId');
  if (filters.labelId && !labels.has(filters.labelId))
    return deletedTarget('label in the filter', 'filters.labelId');
  return findDeletedField(t, filters);
}
async function findDeletedField(t: TxCtx, filters: BulkInput['filters']) {
  const fields = await fieldsFor(t, 7);
  const deletedKey = Object.entries(filters.eav ?? {}).find(
    ([key, value]) => !isBlank(value) && !findField(fields, key),
  )?.[0];
  if (deletedKey !== undefined)
    return deletedTarget('custom field in the filter', `filters.eav.${deletedKey}`);
  const isInRule = (filters.rule?.all ?? []).some((line) => {
    const id = customFieldId(line.field);
    return id !== null && !fields.some((field) => field.id === id);
  });
  return isInRule ? deletedTarget('custom field in the filter', 'filters.rule') : null;
}
