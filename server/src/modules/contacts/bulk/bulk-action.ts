import {
  maxBulkAtOnce,
  contactsBulkCompleted,
  contactsBulkProgressed,
  contactsChanged,
  contactNumbersLinked,
  type ContactFilters,
} from '#contract/contacts';
import { isBlank } from '#contract/field-rules';
import { advanceBatch, createBatch, presentBatch, readBatch } from '../../../platform/batches.ts';
import { audit } from '../../../platform/audit.ts';
import type { Http } from '../../../platform/routes.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { invalid, notFound, fail } from '../../../platform/errors.ts';
import { findField, fieldsFor } from '../../fields/index.ts';
import { countContactsFor } from '../groups/count-groups.ts';
import { groupsOfIds } from '../groups/store-groups.ts';
import { deleteMembers, insertMembers } from '../groups/store-members.ts';
import { deleteUses, insertUses, labelsByIds } from '../labels/store-labels.ts';
import { areDetailsMasked } from '../present.ts';
import { resolveFilter } from '../resolve-filter.ts';
import { customFieldId } from '../rules.ts';
import { markDeleted, markRestored } from '../store.ts';
import { contactIdsAfter, livingContactIdsAmong } from '../store-lists.ts';
import { acquireContactLock } from '../store-many.ts';
import { countChanged, insertBulkStep, claimStepToUndo } from './store-bulk.ts';

export const bulkKind = 'contacts.bulk';
export type BulkAction = 'destroy' | 'group' | 'ungroup' | 'label' | 'unlabel';
export interface ContactSelection {
  contacts?: readonly number[] | undefined;
  all?: boolean | undefined;
  filters?: ContactFilters | undefined;
}
interface BulkInput {
  action: BulkAction;
  target: number;
  contacts: readonly number[] | null;
  filters: ContactFilters;
  masked: boolean;
  until: string;
}
type BulkResult = {
  data: { batchId: string; status: 'finished' | 'queued'; total: number; changed: number };
};

const changeByAction = {
  destroy: 'deleted',
  group: 'grouped',
  ungroup: 'ungrouped',
  label: 'labelled',
  unlabel: 'unlabelled',
} as const;
const undoneChangeByAction = {
  destroy: 'restored',
  group: 'ungrouped',
  ungroup: 'grouped',
  label: 'unlabelled',
  unlabel: 'labelled',
} as const;

/** One step of an action; answers whom it changed. */
function applyAction(
  ctx: TxCtx,
  action: BulkAction,
  target: number,
  ids: readonly number[],
): Promise<number[]> {
  switch (action) {
    case 'destroy':
      return markDeleted(ctx.tx, ctx.companyId, ids, ctx.now, ctx.actor.userId || null).then(
        (rows) => rows.map((r) => r.id),
      );
    case 'group':
      return insertMembers(ctx.tx, ctx.companyId, target, ids, ctx.now);
    case 'ungroup':
      return deleteMembers(ctx.tx, ctx.companyId, target, ids);
    case 'label':
      return insertUses(ctx.tx, ctx.companyId, target, ids, ctx.now);
    case 'unlabel':
      return deleteUses(ctx.tx, ctx.companyId, target, ids);
  }
}
async function revertAction(
  ctx: TxCtx,
  action: BulkAction,
  target: number,
  ids: readonly number[],
): Promise<number> {
  const opposite = {
    group: 'ungroup',
    ungroup: 'group',
    label: 'unlabel',
    unlabel: 'label',
  } as const;
  if (action !== 'destroy') {
    const alive =
      action === 'ungroup' || action === 'unlabel'
        ? await livingContactIdsAmong(ctx.tx, ctx.companyId, ids)
        : ids;
    return (await applyAction(ctx, opposite[action], target, alive)).length;
  }
  const rows = await markRestored(ctx.tx, ctx.companyId, ids);
  if (rows.length)
    await ctx.publish(contactNumbersLinked, {
      rows: rows.map((r) => ({ contactId: r.id, number: r.number })),
    });
  return rows.length;
}

/**
 * Do one thing to a list of contacts, or to all that fit the filters (A §5). Up to a thousand at once; more as a job that goes
 * through them by id, a thousand a step, and touches nobody who came after it began. Whom it changed is kept, so it can be undone.
 */
export async function runBulkAction(
  ctx: TxCtx,
  action: BulkAction,
  target: number,
  selection: ContactSelection,
  http: Http,
): Promise<BulkResult> {
  const selectedIds = selection.all
    ? null
    : [
        ...new Set(
          selection.contacts ?? invalid({ contacts: 'Choose contacts, or choose all of them.' }),
        ),
      ];
  const filters = selection.filters ?? {};
  const total = selectedIds ? selectedIds.length : (await countContactsFor(ctx, filters)).total;
  const input: BulkInput = {
    action,
    target,
    contacts: selectedIds,
    filters,
    masked: areDetailsMasked(ctx),
    until: ctx.now.toISOString(),
  };
  const batchId = await createBatch(ctx, { kind: bulkKind, input, total });
  await audit(ctx, `contacts.${action}`, `batch:${batchId}`, {
    after: { target, total, filters: selectedIds ? undefined : filters },
  });
  if (total > maxBulkAtOnce) {
    await ctx.enqueue(
      'contacts.bulkStep',
      { batchId, from: 0, after: 0 },
      { queue: `contacts-${ctx.companyId}` },
    );
    void http.reply.code(202);
    return { data: { batchId, status: 'queued', total, changed: 0 } };
  }
  await acquireContactLock(ctx.tx, ctx.companyId);
  const ids = selectedIds
    ? await livingContactIdsAmong(ctx.tx, ctx.companyId, selectedIds)
    : await contactIdsAfter(ctx.tx, filters, await resolveFilter(ctx, filters), {
        after: 0,
        createdBefore: ctx.now,
        limit: maxBulkAtOnce,
      });
  const changed = await applyAction(ctx, action, target, ids);
  await insertBulkStep(ctx.tx, ctx.companyId, batchId, 0, changed, ctx.now);
  await advanceBatch(ctx.tx, ctx.companyId, batchId, { from: 0, processed: total }, ctx.now);
  if (changed.length)
    await ctx.publish(contactsChanged, {
      what: changeByAction[action],
      count: changed.length,
      batchId,
    });
  return { data: { batchId, status: 'finished', total, changed: changed.length } };
}

/** Thrown to take a step back that a twin of this job has done already. */
class StepAlreadyDone extends Error {}

/** What a running job needs and somebody deleted meanwhile, as its field and why the rest was left out; null: all is there. */
async function findDeletedTarget(
  t: TxCtx,
  { action, target, filters }: BulkInput,
): Promise<{ field: string; message: string } | null> {
  const groups = new Set(
    (
      await groupsOfIds(t.tx, t.companyId, [
        ...(action === 'group' || action === 'ungroup' ? [target] : []),
        ...(filters.groupId ? [filters.groupId] : []),
      ])
    ).map((g) => g.id),
  );
  const labels = new Set(
    (
      await labelsByIds(t.tx, t.companyId, [
        ...(action === 'label' || action === 'unlabel' ? [target] : []),
        ...(filters.labelId ? [filters.labelId] : []),
      ])
    ).map((l) => l.id),
  );
  const deletedTarget = (what: string, field: string) => ({
    field,
    message: `The ${what} was deleted during this action. The remaining contacts weren’t changed.`,
  });
  if ((action === 'group' || action === 'ungroup') && !groups.has(target))
    return deletedTarget('group', 'group');
  if ((action === 'label' || action === 'unlabel') && !labels.has(target))
    return deletedTarget('label', 'label');
  if (filters.groupId && !groups.has(filters.groupId))
    return deletedTarget('group in the filter', 'filters.groupId');
  if (filters.labelId && !labels.has(filters.labelId))
    return deletedTarget('label in the filter', 'filters.labelId');
  const fields = await fieldsFor(t, 7);
  const eav = Object.entries(filters.eav ?? {}).find(
    ([name, value]) => !isBlank(value) && !findField(fields, name),
  );
  const missingField = (filters.rule?.all ?? []).find((line) => {
    const id = customFieldId(line.field);
    return id !== null && !fields.some((f) => f.id === id);
  });
  return eav || missingField
    ? deletedTarget('custom field in the filter', eav ? `filters.eav.${eav[0]}` : 'filters.rule')
    : null;
}

/** One step of a long one: a thousand contacts, then the next is queued in the same transaction. */
export async function bulkStep(
  ctx: Ctx,
  step: { batchId: string; from: number; after: number },
): Promise<void> {
  await ctx
    .transaction(async (t) => {
      const batch = await readBatch(t.tx, t.companyId, step.batchId, bulkKind);
      if (!batch || batch.finishedAt || batch.processed !== step.from) return;
      const input = batch.input as BulkInput;
      await acquireContactLock(t.tx, t.companyId);
      const deleted = await findDeletedTarget(t, input);
      if (deleted) {
        // The rest is not done, and the job says why.
        const ended = await advanceBatch(
          t.tx,
          t.companyId,
          step.batchId,
          {
            from: step.from,
            processed: batch.total - step.from,
            failed: batch.total - step.from,
            errors: [{ row: step.from + 1, field: deleted.field, message: deleted.message }],
          },
          t.now,
        );
        if (ended)
          await t.publish(contactsBulkCompleted, {
            batchId: step.batchId,
            progress: 100,
            processed: ended.processed,
            total: ended.total,
            failed: ended.failed,
          });
        return;
      }
      const ids = input.contacts
        ? await livingContactIdsAmong(
            t.tx,
            t.companyId,
            [...input.contacts].sort((a, b) => a - b).slice(step.from, step.from + maxBulkAtOnce),
          )
        : await contactIdsAfter(
            t.tx,
            input.filters,
            { ...(await resolveFilter(t, input.filters)), masked: input.masked },
            { after: step.after, createdBefore: new Date(input.until), limit: maxBulkAtOnce },
          );
      const changed = await applyAction(
        { ...t, actor: { ...t.actor, userId: batch.createdBy ?? 0 } },
        input.action,
        input.target,
        ids,
      );
      await insertBulkStep(
        t.tx,
        t.companyId,
        step.batchId,
        step.from / maxBulkAtOnce,
        changed,
        t.now,
      );
      const last = input.contacts
        ? step.from + maxBulkAtOnce >= batch.total
        : ids.length < maxBulkAtOnce;
      const processed = last
        ? batch.total - step.from
        : Math.min(maxBulkAtOnce, batch.total - step.from);
      const after = await advanceBatch(
        t.tx,
        t.companyId,
        step.batchId,
        { from: step.from, processed },
        t.now,
      );
      if (!after) throw new StepAlreadyDone();
      if (changed.length)
        await t.publish(contactsChanged, {
          what: changeByAction[input.action],
          count: changed.length,
          batchId: step.batchId,
        });
      const progress = {
        batchId: step.batchId,
        progress: presentBatch(after).progress,
        processed: after.processed,
        total: after.total,
        failed: 0,
      };
      await t.publish(after.finishedAt ? contactsBulkCompleted : contactsBulkProgressed, progress);
      if (!after.finishedAt)
        await t.enqueue(
          'contacts.bulkStep',
          { batchId: step.batchId, from: step.from + processed, after: ids.at(-1) ?? step.after },
          { queue: `contacts-${t.companyId}` },
        );
    })
    .catch((error: unknown) => {
      if (!(error instanceof StepAlreadyDone)) throw error;
    });
}

/** Take back what a bulk action did. More than one step of it goes on as a job. */
export async function undoBulk(ctx: TxCtx, batchId: string, http: Http): Promise<BulkResult> {
  const batch = (await readBatch(ctx.tx, ctx.companyId, batchId, bulkKind)) ?? notFound();
  const input = batch.input as BulkInput;
  if (input.action === 'destroy' && ctx.may('contacts.bulk') === 'none') fail('role.forbidden');
  if (!batch.finishedAt) fail('bulk.running');
  const { changed, undone } = await countChanged(ctx.tx, ctx.companyId, batchId);
  if (changed === undone) fail('bulk.undone');
  await audit(ctx, 'contacts.undone', `batch:${batchId}`, {
    after: { action: input.action, changed },
  });
  const many = changed - undone > maxBulkAtOnce;
  if (many)
    await ctx.enqueue('contacts.undoStep', { batchId }, { queue: `contacts-${ctx.companyId}` });
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
export async function undoStep(ctx: Ctx, step: { batchId: string }): Promise<void> {
  await ctx.transaction(async (t) => {
    const batch = await readBatch(t.tx, t.companyId, step.batchId, bulkKind);
    if (batch && (await undoNextStep(t, step.batchId, batch.input as BulkInput)))
      await t.enqueue(
        'contacts.undoStep',
        { batchId: step.batchId },
        { queue: `contacts-${t.companyId}` },
      );
  });
}

/** Those of a list that are alive, in the order of their ids. */
export const livingContactIds = (ctx: TxCtx, ids: readonly number[]): Promise<number[]> =>
  livingContactIdsAmong(ctx.tx, ctx.companyId, [...new Set(ids)]);
