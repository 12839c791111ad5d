import type { Answer } from '#contract';
import { contactChanged, contactsChanged, contactNumbersLinked } from '#contract/contacts/events';
import { undoDays } from '#contract/contacts/rules';
import { type undoMerge as undoing } from '#contract/contacts/endpoints';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { fieldsFor, setValues } from '../../fields/index.ts';
import { deleteMembers } from '../groups/store-members.ts';
import { deleteUses } from '../labels/store-labels.ts';
import { contactAnswer } from '../get-contact.ts';
import {
  contactById,
  contactByIdWithDeleted,
  contactsOfNumbers,
  lockContact,
  patchContact,
  type ContactRow,
} from '../store.ts';
import { markRestored } from '../store-trash.ts';
import { deleteMergedNumbers, upsertMergedNumbers } from '../store-numbers.ts';
import { acquireContactLock } from '../store-many.ts';
import { revertPatch } from './rules.ts';
import { markMergeUndone, lockMergeById } from './store-merge.ts';

/**
 * Undoes a merge within 30 days: restores the other contact and every value that wasn't changed since,
 * and takes back what the merge added. Fails with `contact.merge_undone`, `contact.merge_old`, or
 * `contact.exists` when the number belongs to another contact now.
 */
export async function undoMerge(
  ctx: TxCtx,
  id: number,
  mergeId: number,
): Promise<Answer<typeof undoing>> {
  await acquireContactLock(ctx.tx, ctx.companyId);
  const merge = await lockMergeById(ctx.tx, ctx.companyId, mergeId);
  if (!merge || merge.target_id !== id) notFound();
  if (merge.undone_at) fail('contact.merge_undone');
  if (ctx.now.getTime() - merge.at.getTime() > undoDays * 86_400_000) fail('contact.merge_old');
  const kept = (await lockContact(ctx.tx, ctx.companyId, id)) ?? notFound();
  const mergedAway =
    (await contactByIdWithDeleted(ctx.tx, ctx.companyId, merge.source_id)) ??
    fail('contact.merge_old');

  const after = merge.after as Record<string, unknown> & { custom?: number[] };
  const revert = revertPatch(
    kept as unknown as Record<string, unknown>,
    merge.before as Record<string, unknown>,
    after,
  );
  // Opt-outs belong to the number; publishing the numbers below updates them.
  delete revert['unsubscribed_at'];
  const returningNumbers = [merge.gone_number, ...merge.moved_numbers];
  if (revert['number'] !== undefined)
    await deleteMergedNumbers(ctx.tx, ctx.companyId, [String(revert['number'])]);
  await deleteMergedNumbers(ctx.tx, ctx.companyId, returningNumbers);
  const restored = await patchContact(ctx.tx, ctx.companyId, id, revert, ctx.now);
  const holder = (await contactsOfNumbers(ctx.tx, ctx.companyId, [merge.gone_number])).get(
    merge.gone_number,
  );
  if (holder) fail('contact.exists', {}, { id: holder.id });
  await markMergeUndone(ctx.tx, ctx.companyId, mergeId, ctx.now);
  if (!(await markRestored(ctx.tx, ctx.companyId, [mergedAway.id])).length)
    fail('contact.exists', {}, { id });
  await upsertMergedNumbers(ctx.tx, ctx.companyId, mergedAway.id, merge.moved_numbers, ctx.now);
  for (const group of merge.added_groups) await deleteMembers(ctx.tx, ctx.companyId, group, [id]);
  for (const label of merge.added_labels) await deleteUses(ctx.tx, ctx.companyId, label, [id]);
  const fields = new Set((await fieldsFor(ctx, 7)).filter((f) => !f.is_required).map((f) => f.id));
  await setValues(
    ctx,
    7,
    id,
    (after.custom ?? [])
      .filter((attribute) => fields.has(attribute))
      .map((attribute) => ({ attribute_id: attribute, value: null })),
  );

  await audit(ctx, 'contact.unmerged', `contact:${id}`, { after: { back: mergedAway.id } });
  const other = (await contactById(ctx.tx, ctx.companyId, mergedAway.id)) ?? notFound();
  await publishUnmerged(ctx, restored, other, returningNumbers);
  return {
    data: {
      contact: (await contactAnswer(ctx, restored)).data,
      other: (await contactAnswer(ctx, other)).data,
    },
  };
}

async function publishUnmerged(
  ctx: TxCtx,
  contact: ContactRow,
  other: ContactRow,
  returningNumbers: readonly string[],
): Promise<void> {
  await ctx.publish(contactNumbersLinked, {
    rows: [
      ...returningNumbers.map((number) => ({ contactId: other.id, number })),
      { contactId: contact.id, number: contact.number },
    ],
  });
  for (const { id, name, number } of [contact, other])
    await ctx.publish(contactChanged, {
      contactId: id,
      name,
      number,
      added: false,
      changed: ['number', 'merged'],
    });
  await ctx.publish(contactsChanged, { what: 'unmerged', count: 2, contactId: contact.id });
}
