import type { Body } from '#contract';
import { contactChanged, type Contact, type createContact as said } from '#contract/contacts';
import { normalizePhone } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, refuse } from '../../platform/refuse.ts';
import { setValues } from '../fields/index.ts';
import { patchOf } from './details.ts';
import { answered } from './get-contact.ts';
import { sortInto } from './sort-into.ts';
import { contactsOfNumbers, insertContact, patchContact } from './store.ts';

/** A new contact. One number, one contact (A11): whoever has it already is named in the refusal. */
export async function createContact(
  ctx: TxCtx,
  body: Body<typeof said>,
): Promise<{ data: Contact }> {
  const number = normalizePhone(body.number) ?? invalid({ number: 'Enter a phone number.' });
  const known = async () => (await contactsOfNumbers(ctx.tx, ctx.companyId, [number])).get(number);
  const other = await known();
  if (other) refuse('contact.exists', {}, { id: other.id });
  const made = await insertContact(
    ctx.tx,
    ctx.companyId,
    number,
    body.name ?? '',
    body.source ?? 'Manual',
    ctx.now,
  );
  if (!made) refuse('contact.exists', {}, { id: (await known())?.id ?? 0 });
  await sortInto(ctx, made.id, body);
  await setValues(ctx, 7, made.id, body.eavAttributeValues ?? [], { complete: true });
  const after = await patchContact(ctx.tx, ctx.companyId, made.id, patchOf(body), ctx.now);
  await ctx.say(contactChanged, {
    contactId: after.id,
    name: after.name,
    number: after.number,
    added: true,
    changed: [],
  });
  return answered(ctx, after);
}
