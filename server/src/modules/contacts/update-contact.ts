import type { Body } from '#contract';
import { normalizePhone } from '#contract/phone';
import { contactChanged, type Contact, type updateContact as said } from '#contract/contacts';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, missing, refuse } from '../../platform/refuse.ts';
import { setValues } from '../fields/index.ts';
import { hidden, patchOf } from './details.ts';
import { answered } from './get-contact.ts';
import { masked } from './present.ts';
import { sortInto } from './sort-into.ts';
import { contactsOfNumbers, dropNumbers, holdContact, patchContact, putNumbers } from './store.ts';

export async function updateContact(ctx: TxCtx, id: number, body: Body<typeof said>): Promise<{ data: Contact }> {
  const before = (await holdContact(ctx.tx, ctx.companyId, id)) ?? missing();
  if (masked(ctx) && hidden.some((field) => body[field] !== undefined)) refuse('role.forbidden');
  const patch = patchOf(body);
  if (body.number !== undefined) {
    const number = normalizePhone(body.number) ?? invalid({ number: 'Enter a phone number.' });
    const other = (await contactsOfNumbers(ctx.tx, ctx.companyId, [number])).get(number);
    if (other && other.id !== id) refuse('contact.exists', {}, { id: other.id });
    // One of its further numbers becomes its first.
    if (other && other.number !== number) {
      await dropNumbers(ctx.tx, ctx.companyId, [number]);
      await putNumbers(ctx.tx, ctx.companyId, id, [before.number], ctx.now);
    }
    patch['number'] = number;
  }
  const changed = Object.keys(patch).filter((column) => JSON.stringify(patch[column]) !== JSON.stringify(before[column as keyof typeof before]));
  // A number that was typed anew has not been refused by a carrier yet.
  if (changed.includes('number')) patch['invalid'] = false;
  changed.push(...(await sortInto(ctx, id, body)));
  if (body.eavAttributeValues) changed.push(...(await setValues(ctx, 7, id, body.eavAttributeValues)).map((c) => `custom:${c.field.key}`));
  if (!changed.length) return answered(ctx, before);
  const after = await patchContact(ctx.tx, ctx.companyId, id, patch, ctx.now);
  await ctx.say(contactChanged, { contactId: id, name: after.name, number: after.number, added: false, changed });
  return answered(ctx, after);
}
