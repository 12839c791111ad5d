import { maxBulkAtOnce } from '#contract/contacts/rules';
import { contactsChanged } from '#contract/contacts/events';
import { type ContactFilters } from '#contract/contacts/schemas';
import { advanceBatch, createBatch } from '../../../platform/batches.ts';
import { audit } from '../../../platform/audit.ts';
import type { Http } from '../../../platform/routes.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, invalid } from '../../../platform/errors.ts';
import { countContactsFor } from '../groups/count-groups.ts';
import { areDetailsMasked } from '../present.ts';
import { resolveFilter } from '../resolve-filter.ts';
import { contactIdsAfter, livingContactIdsAmong } from '../store-lists.ts';
import { heldContactIds } from '../store-trash.ts';
import { acquireContactLock } from '../store-many.ts';
import {
  applyAction,
  bulkKind,
  changeByAction,
  type BulkAction,
  type BulkInput,
  type BulkResult,
} from './actions.ts';
import { insertBulkStep } from './store-bulk.ts';
import { bulkStepJob } from '../job-kinds.ts';

/** The contacts of a bulk action: `contacts`, or with `all` those that match `filters`. */
interface ContactSelection {
  contacts?: readonly number[] | undefined;
  all?: boolean | undefined;
  filters?: ContactFilters | undefined;
}

/**
 * Runs an action on selected contacts, or on all that match the filters (A §5). Up to 1,000 at once;
 * more by a job, in the order of their IDs, 1,000 per step. Contacts created after the start are left
 * out. The changed IDs are stored, so that it can be undone. `hold.keeps_some`: one chosen for
 * deletion is under legal hold.
 */
export async function runBulkAction(
  ctx: TxCtx,
  action: BulkAction,
  target: number,
  selection: ContactSelection,
  http: Http,
): Promise<BulkResult> {
  const selectedIds = selection.all ? null : [...new Set(selection.contacts ?? noneSelected())];
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
    await ctx.enqueue(bulkStepJob, { batchId, from: 0, after: 0 });
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
  // Who chose them one by one has to know; of all that match, the held ones stay.
  if (
    action === 'destroy' &&
    selectedIds &&
    (await heldContactIds(ctx.tx, ctx.companyId, ids)).length
  )
    fail('hold.keeps_some');
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

const noneSelected = (): never => invalid({ contacts: 'Choose contacts, or choose all of them.' });
