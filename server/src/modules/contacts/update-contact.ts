import type { Body } from '#contract';
import { normalizePhone } from '#contract/phone';
import { contactChanged } from '#contract/contacts/events';
import type { Contact } from '#contract/contacts/schemas';
import type { updateContact as said } from '#contract/contacts/endpoints';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { mustBe } from '../../platform/must-be.ts';
import { setValues } from '../fields/index.ts';
import { maskedFields, contactPatchOf } from './contact-fields.ts';
import { optIn, optOut } from './ledger/opt-out.ts';
import { optedOutNumbers } from './ledger/store-opt-outs.ts';
import { contactAnswer } from './get-contact.ts';
import { areDetailsMasked } from './present.ts';
import { assignLists } from './assign-lists.ts';
import { setOtherNumbers } from './other-numbers.ts';
import { contactsOfNumbers, lockContact, patchContact } from './store.ts';
import { deleteMergedNumbers, numbersOfContact, upsertMergedNumbers } from './store-numbers.ts';

/** Opts all numbers of a contact in or out, as the person asked. */
async function setTextingAllowed(
  ctx: TxCtx,
  contact: { id: number; number: string },
  allowed: boolean,
  note: string | undefined,
): Promise<void> {
  const numbers = [...new Set(await numbersOfContact(ctx.tx, ctx.companyId, contact))].sort();
  const optedOut = await optedOutNumbers(ctx.tx, ctx.companyId, numbers);
  const source = ctx.actor.kind === 'key' ? 'api' : 'manual';
  for (const one of numbers)
    if (optedOut.has(one) === allowed)
      await (allowed ? optIn : optOut)(ctx, {
        number: one,
        source,
        numberId: null,
        proof: note || null,
      });
}

/**
 * Changes a contact. `contact.exists` when another holds the new number; `role.forbidden` when the
 * role may not see a field it sends.
 */
export async function updateContact(
  ctx: TxCtx,
  id: number,
  body: Body<typeof said>,
): Promise<{ data: Contact }> {
  const before = (await lockContact(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (areDetailsMasked(ctx) && maskedFields.some((field) => body[field] !== undefined))
    fail('role.forbidden');
  const patch = contactPatchOf(body);
  if (body.number !== undefined) {
    const number = normalizePhone(body.number) ?? invalid({ number: 'Enter a phone number.' });
    const holder = (await contactsOfNumbers(ctx.tx, ctx.companyId, [number])).get(number);
    if (holder && holder.id !== id) fail('contact.exists', {}, { id: holder.id });
    // One of its merged numbers becomes its own.
    if (holder && holder.number !== number) {
      await deleteMergedNumbers(ctx.tx, ctx.companyId, [number]);
      await upsertMergedNumbers(ctx.tx, ctx.companyId, id, [before.number], ctx.now);
    }
    patch['number'] = number;
  }
  const changed = Object.keys(patch).filter(
    (column) =>
      JSON.stringify(patch[column]) !== JSON.stringify(before[column as keyof typeof before]),
  );
  // A new number isn't known to be invalid.
  if (changed.includes('number')) patch['invalid'] = false;
  changed.push(...(await assignLists(ctx, id, body)));
  const own = { id, number: changed.includes('number') ? String(patch['number']) : before.number };
  if (body.otherNumbers && (await setOtherNumbers(ctx, own, body.otherNumbers)))
    changed.push('otherNumbers');
  if (body.eavAttributeValues)
    changed.push(
      ...(await setValues(ctx, 7, id, body.eavAttributeValues)).map((c) => `custom:${c.field.key}`),
    );
  // Who sells a bicycle keeps no record of who asked to be texted again: only their own START counts.
  if (body.is_unsubscribed === false && ctx.actor.accountId !== undefined)
    invalid({ is_unsubscribed: 'Only they can ask for texts again, by texting START.' });
  if (body.is_unsubscribed !== undefined)
    await setTextingAllowed(ctx, own, !body.is_unsubscribed, body.unsubscribeNote);
  if (!changed.length)
    return contactAnswer(
      ctx,
      mustBe(await lockContact(ctx.tx, ctx.companyId, id), 'the contact, locked above'),
    );
  const after = await patchContact(ctx.tx, ctx.companyId, id, patch, ctx.now);
  await ctx.publish(contactChanged, {
    contactId: id,
    name: after.name,
    number: after.number,
    added: false,
    changed,
  });
  return contactAnswer(ctx, after);
}
