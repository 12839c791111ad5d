import { contactChanged, contactsChanged } from '#contract/contacts/events';
import type { Contact } from '#contract/contacts/schemas';
import type { TxCtx } from '../../platform/context.ts';
import { audit } from '../../platform/audit.ts';
import { refuseIfContactHeld } from './refuse-held.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { mustBe } from '../../platform/must-be.ts';
import { contactAnswer } from './get-contact.ts';
import { activeMergeOf } from './merge/store-merge.ts';
import { contactByIdWithDeleted, contactsOfNumbers } from './store.ts';
import { markDeleted, markRestored } from './store-trash.ts';

/**
 * Deletes a contact, restorable for 30 days. Opt-outs and blocks belong to the number and stay.
 * `not_found` when it doesn't exist; `hold.keeps` when a hold is on one of its numbers.
 */
export async function deleteContact(ctx: TxCtx, id: number): Promise<void> {
  await refuseIfContactHeld(ctx, id);
  const [deleted] = await markDeleted(
    ctx.tx,
    ctx.companyId,
    [id],
    ctx.now,
    ctx.actor.userId || null,
  );
  if (!deleted) notFound();
  await audit(ctx, 'contact.deleted', `contact:${id}`, { before: { number: deleted.number } });
  await ctx.publish(contactsChanged, { what: 'deleted', count: 1, contactId: id });
}

/**
 * Brings a deleted contact back. `contact.merged` when it was merged into another, `contact.exists`
 * when another holds its number now.
 */
export async function restoreContact(ctx: TxCtx, id: number): Promise<{ data: Contact }> {
  const row = (await contactByIdWithDeleted(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (row.deleted_at === null) return contactAnswer(ctx, row);
  if (await activeMergeOf(ctx.tx, ctx.companyId, id)) fail('contact.merged');
  const holder = (await contactsOfNumbers(ctx.tx, ctx.companyId, [row.number])).get(row.number);
  if (holder || !(await markRestored(ctx.tx, ctx.companyId, [id])).length)
    fail('contact.exists', {}, { id: holder?.id ?? 0 });
  await audit(ctx, 'contact.restored', `contact:${id}`);
  const restored = mustBe(
    await contactByIdWithDeleted(ctx.tx, ctx.companyId, id),
    'the restored contact',
  );
  // `number` counts as changed, so that conversations and the opt-out follow it again.
  await ctx.publish(contactChanged, {
    contactId: id,
    name: restored.name,
    number: restored.number,
    added: false,
    changed: ['number'],
  });
  return contactAnswer(ctx, restored);
}
