import { contactNumbersLinked } from '#contract/contacts/events';
import { formatPhone, normalizePhone } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { contactsOfNumbers, type ContactRow } from './store.ts';
import { linkNumbers, mergedNumbers, unlinkNumbers } from './store-numbers.ts';

type Owner = Pick<ContactRow, 'id' | 'number'>;

/** The further numbers in a request, E.164: each once, without the contact's own. */
export const otherNumbersOf = (typed: readonly string[], own: string): string[] => [
  ...new Set(typed.flatMap((one) => normalizePhone(one) ?? []).filter((one) => one !== own)),
];

/**
 * Sets a contact's further numbers to exactly these; true: they changed. Fails with `contact.exists`
 * when one belongs to another contact.
 */
export async function setOtherNumbers(
  ctx: TxCtx,
  contact: Owner,
  typed: readonly string[],
): Promise<boolean> {
  const numbers = otherNumbersOf(typed, contact.number);
  const holders = await contactsOfNumbers(ctx.tx, ctx.companyId, numbers);
  for (const holder of holders.values())
    if (holder.id !== contact.id) fail('contact.exists', {}, { id: holder.id });
  const current = (await mergedNumbers(ctx.tx, ctx.companyId, [contact.id])).map((n) => n.number);
  const ofContact = (list: readonly string[]) =>
    list.map((number) => ({ contactId: contact.id, number }));
  const added = numbers.filter((number) => !current.includes(number));
  const removed = current.filter((number) => !numbers.includes(number));
  await unlinkNumbers(ctx.tx, ctx.companyId, ofContact(removed));
  await linkNumbers(ctx.tx, ctx.companyId, ofContact(added), ctx.now);
  if (added.length) await ctx.publish(contactNumbersLinked, { rows: ofContact(added) });
  return added.length + removed.length > 0;
}

/** One row of many: its contact, and the further numbers it names. */
interface NumbersRow {
  contact: Owner;
  numbers: readonly string[];
  /** `set`: exactly these; `add`: these, too. */
  mode: 'set' | 'add';
}
/**
 * Sets or adds the further numbers of many contacts. Returns a sentence per row for numbers that
 * belong to other contacts, which are left out; null: none.
 */
export async function writeManyNumbers(
  ctx: TxCtx,
  rows: readonly NumbersRow[],
): Promise<{ problems: (string | null)[]; changed: Set<number> }> {
  const { tx, companyId, now } = ctx;
  const holders = new Map(
    [
      ...(await contactsOfNumbers(
        tx,
        companyId,
        rows.flatMap(({ numbers }) => numbers),
      )),
    ].map(([number, { id }]) => [number, id]),
  );
  const ids = rows.map(({ contact }) => contact.id);
  const current = await mergedNumbers(tx, companyId, ids);
  const added: { contactId: number; number: string }[] = [];
  const removed: typeof added = [];
  const problems = rows.map(({ contact: { id }, numbers, mode }) => {
    const foreign: string[] = [];
    for (const number of numbers) {
      const holder = holders.get(number);
      if (holder === undefined) added.push({ contactId: id, number });
      else if (holder !== id) foreign.push(number);
      holders.set(number, holder ?? id);
    }
    if (mode === 'set')
      for (const { contact_id, number } of current)
        if (contact_id === id && !numbers.includes(number)) removed.push({ contactId: id, number });
    return foreign.length
      ? `${foreign.map((number) => formatPhone(number)).join(', ')}: another contact has this number.`
      : null;
  });
  await unlinkNumbers(tx, companyId, removed);
  await linkNumbers(tx, companyId, added, now);
  if (added.length) await ctx.publish(contactNumbersLinked, { rows: added });
  return { problems, changed: new Set([...added, ...removed].map(({ contactId }) => contactId)) };
}
