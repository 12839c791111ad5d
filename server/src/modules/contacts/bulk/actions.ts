import { z } from 'zod';
import type { ContactFilters } from '#contract/contacts/schemas';
import { contactNumbersLinked } from '#contract/contacts/events';
import { asAsked, batchKind } from '../../../platform/batch-kind.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { deleteMembers, insertMembers } from '../groups/store-members.ts';
import { deleteUses, insertUses } from '../labels/store-labels.ts';
import { heldContactIds, markDeleted, markRestored } from '../store-trash.ts';
import { livingContactIdsAmong } from '../store-lists.ts';

const bulkActions = ['destroy', 'group', 'ungroup', 'label', 'unlabel'] as const;
export type BulkAction = (typeof bulkActions)[number];
const bulkInput = z.object({
  action: z.enum(bulkActions),
  /** ID of the group or label; 0 for deletion. */
  target: z.number(),
  /** IDs of the selected contacts; null: all that match `filters`. */
  contacts: z.array(z.number()).readonly().nullable(),
  filters: asAsked<ContactFilters>(),
  /** The user can't see contact details, so filters don't match them. */
  masked: z.boolean(),
  /** Contacts created later are left out (ISO). */
  until: z.string(),
});
/** What a bulk action is to do, as its batch stores it. */
export type BulkInput = z.output<typeof bulkInput>;
/** Kind of the batches of bulk actions. */
export const bulkKind = batchKind('contacts.bulk', bulkInput);
/** Kind of the batches of contacts that arrive many at once and are there when they do. */
export const putKind = batchKind(
  'contacts.put',
  z.object({ count: z.number(), groupId: z.number().nullable() }),
);
export interface BulkResult {
  data: { batchId: string; status: 'finished' | 'queued'; total: number; changed: number };
}

/** What `contactsChanged` reports of each action and of its undo. */
export const changeByAction = {
  destroy: 'deleted',
  group: 'grouped',
  ungroup: 'ungrouped',
  label: 'labelled',
  unlabel: 'unlabelled',
} as const;
export const undoneChangeByAction = {
  destroy: 'restored',
  group: 'ungrouped',
  ungroup: 'grouped',
  label: 'unlabelled',
  unlabel: 'labelled',
} as const;

/**
 * Runs the action on these contacts; returns the IDs of those it changed. Held ones aren't deleted.
 */
export async function applyAction(
  ctx: TxCtx,
  action: BulkAction,
  target: number,
  ids: readonly number[],
): Promise<number[]> {
  const { tx, companyId, now } = ctx;
  switch (action) {
    case 'destroy': {
      const held = new Set(await heldContactIds(tx, companyId, ids));
      const free = ids.filter((id) => !held.has(id));
      const deleted = await markDeleted(tx, companyId, free, now, ctx.actor.userId || null);
      return deleted.map(({ id }) => id);
    }
    case 'group':
      return insertMembers(tx, companyId, target, ids, now);
    case 'ungroup':
      return deleteMembers(tx, companyId, target, ids);
    case 'label':
      return insertUses(tx, companyId, target, ids, now);
    case 'unlabel':
      return deleteUses(tx, companyId, target, ids);
  }
}

const opposite = {
  group: 'ungroup',
  ungroup: 'group',
  label: 'unlabel',
  unlabel: 'label',
} as const;
/** Reverts the action on the contacts that it changed; returns how many were reverted. */
export async function revertAction(
  ctx: TxCtx,
  action: BulkAction,
  target: number,
  ids: readonly number[],
): Promise<number> {
  if (action === 'destroy') {
    const restored = await markRestored(ctx.tx, ctx.companyId, ids);
    if (restored.length)
      await ctx.publish(contactNumbersLinked, {
        rows: restored.map(({ id, number }) => ({ contactId: id, number })),
      });
    return restored.length;
  }
  // Contacts deleted since don't join again.
  const joins = action === 'ungroup' || action === 'unlabel';
  const contactIds = joins ? await livingContactIdsAmong(ctx.tx, ctx.companyId, ids) : ids;
  return (await applyAction(ctx, opposite[action], target, contactIds)).length;
}
