import type { Body } from '#contract';
import { normalizePhone } from '#contract/phone';
import { contactChanged, type Contact, type updateContact as said } from '#contract/contacts';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, missing, refuse } from '../../platform/refuse.ts';
import { setValues } from '../fields/index.ts';
import { hidden, patchOf } from './details.ts';
import { optIn, optOut } from './ledger/opt-out.ts';
import { optedOutAmong } from './ledger/store-ledger.ts';
import { answered } from './get-contact.ts';
import { masked } from './present.ts';
import { sortInto } from './sort-into.ts';
import {
  contactsOfNumbers,
  dropNumbers,
  holdContact,
  numbersOfContact,
  patchContact,
  putNumbers,
} from './store.ts';

/** What somebody asked a colleague for, on all of the numbers they are known by. */
async function textThem(
  ctx: TxCtx,
  who: { id: number; number: string },
  may: boolean,
  note: string | undefined,
): Promise<void> {
  const numbers = [...new Set(await numbersOfContact(ctx.tx, ctx.companyId, who))].sort();
  const out = await optedOutAmong(ctx.tx, ctx.companyId, numbers);
  const source = ctx.actor.kind === 'key' ? 'api' : 'manual';
  for (const one of numbers)
    if (out.has(one) === may)
      await (may ? optIn : optOut)(ctx, {
        number: one,
        source,
        numberId: null,
        proof: note || null,
      });
}

export async function updateContact(
  ctx: TxCtx,
  id: number,
  body: Body<typeof said>,
): Promise<{ data: Contact }> {
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
  const changed = Object.keys(patch).filter(
    (column) =>
      JSON.stringify(patch[column]) !== JSON.stringify(before[column as keyof typeof before]),
  );
  // A number that was typed anew has not been refused by a carrier yet.
  if (changed.includes('number')) patch['invalid'] = false;
  changed.push(...(await sortInto(ctx, id, body)));
  if (body.eavAttributeValues)
    changed.push(
      ...(await setValues(ctx, 7, id, body.eavAttributeValues)).map((c) => `custom:${c.field.key}`),
    );
  if (body.is_unsubscribed !== undefined)
    await textThem(
      ctx,
      { id, number: body.number === undefined ? before.number : String(patch['number']) },
      !body.is_unsubscribed,
      body.unsubscribeNote,
    );
  if (!changed.length) return answered(ctx, (await holdContact(ctx.tx, ctx.companyId, id))!);
  const after = await patchContact(ctx.tx, ctx.companyId, id, patch, ctx.now);
  await ctx.say(contactChanged, {
    contactId: id,
    name: after.name,
    number: after.number,
    added: false,
    changed,
  });
  return answered(ctx, after);
}
