import { contactChanged, contactsChanged, type Contact } from '#contract/contacts';
import type { TxCtx } from '../../platform/context.ts';
import { audit } from '../../platform/audit.ts';
import { missing, refuse } from '../../platform/refuse.ts';
import { answered } from './get-contact.ts';
import { mergeThatTook } from './merge/store-merge.ts';
import { contactEvenDeleted, contactsOfNumbers, markDeleted, markRestored } from './store.ts';

/** Gone from lists for thirty days, then for good. Opt-outs and blocks are kept by number and stay. */
export async function deleteContact(ctx: TxCtx, id: number): Promise<void> {
  const [gone] = await markDeleted(ctx.tx, ctx.companyId, [id], ctx.now, ctx.actor.userId || null);
  if (!gone) missing();
  await audit(ctx, 'contact.deleted', `contact:${id}`, { before: { number: gone.number } });
  await ctx.say(contactsChanged, { what: 'deleted', count: 1, contactId: id });
}

export async function restoreContact(ctx: TxCtx, id: number): Promise<{ data: Contact }> {
  const row = (await contactEvenDeleted(ctx.tx, ctx.companyId, id)) ?? missing();
  if (row.deleted_at === null) return answered(ctx, row);
  if (await mergeThatTook(ctx.tx, ctx.companyId, id)) refuse('contact.merged');
  const other = (await contactsOfNumbers(ctx.tx, ctx.companyId, [row.number])).get(row.number);
  if (other || !(await markRestored(ctx.tx, ctx.companyId, [id])).length)
    refuse('contact.exists', {}, { id: other?.id ?? 0 });
  await audit(ctx, 'contact.restored', `contact:${id}`);
  const back = (await contactEvenDeleted(ctx.tx, ctx.companyId, id))!;
  // Whoever follows numbers (conversations, the opt-out ledger) looks at its number anew: it may have opted in or out meanwhile.
  await ctx.say(contactChanged, {
    contactId: id,
    name: back.name,
    number: back.number,
    added: false,
    changed: ['number'],
  });
  return answered(ctx, back);
}
