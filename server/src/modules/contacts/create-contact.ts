import type { Body } from '#contract';
import { contactChanged } from '#contract/contacts/events';
import type { Contact } from '#contract/contacts/schemas';
import type { createContact as said } from '#contract/contacts/endpoints';
import { normalizePhone } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, fail } from '../../platform/errors.ts';
import { setValues } from '../fields/index.ts';
import { contactPatchOf } from './contact-fields.ts';
import { contactAnswer } from './get-contact.ts';
import { assignLists } from './assign-lists.ts';
import { setOtherNumbers } from './other-numbers.ts';
import { contactsOfNumbers, insertContact, patchContact } from './store.ts';

/**
 * Creates a contact. A number has one contact (A11): `contact.exists` carries the ID of the
 * existing one.
 */
export async function createContact(
  ctx: TxCtx,
  body: Body<typeof said>,
): Promise<{ data: Contact }> {
  const number = normalizePhone(body.number) ?? invalid({ number: 'Enter a phone number.' });
  const existing = async () =>
    (await contactsOfNumbers(ctx.tx, ctx.companyId, [number])).get(number);
  const holder = await existing();
  if (holder) fail('contact.exists', {}, { id: holder.id });
  const created = await insertContact(
    ctx.tx,
    ctx.companyId,
    number,
    body.name ?? '',
    body.source ?? 'Manual',
    ctx.now,
  );
  if (!created) fail('contact.exists', {}, { id: (await existing())?.id ?? 0 });
  await assignLists(ctx, created.id, body);
  await setOtherNumbers(ctx, created, body.otherNumbers ?? []);
  await setValues(ctx, 7, created.id, body.eavAttributeValues ?? [], { complete: true });
  const after = await patchContact(
    ctx.tx,
    ctx.companyId,
    created.id,
    contactPatchOf(body),
    ctx.now,
  );
  await ctx.publish(contactChanged, {
    contactId: after.id,
    name: after.name,
    number: after.number,
    added: true,
    changed: [],
  });
  return contactAnswer(ctx, after);
}
