import { contactChanged } from '#contract/contacts/events';
import type { contactSources } from '#contract/contacts/rules';
import type { TxCtx } from '../../platform/context.ts';
import { contactsOfNumbers, insertContact, insertContacts, type ContactRow } from './store.ts';

/**
 * The contact with this number (E.164), created when there is none. Null: the number is withheld.
 */
export async function findOrCreateContact(
  ctx: TxCtx,
  number: string,
  defaults: { name?: string; source?: (typeof contactSources)[number] } = {},
): Promise<ContactRow | null> {
  if (!number.startsWith('+')) return null;
  const existing = (await contactsOfNumbers(ctx.tx, ctx.companyId, [number])).get(number);
  if (existing) return existing;
  const created = await insertContact(
    ctx.tx,
    ctx.companyId,
    number,
    defaults.name ?? '',
    defaults.source ?? 'Manual',
    ctx.now,
  );
  if (!created)
    return (await contactsOfNumbers(ctx.tx, ctx.companyId, [number])).get(number) ?? null;
  await ctx.publish(contactChanged, {
    contactId: created.id,
    name: created.name,
    number: created.number,
    added: true,
    changed: [],
  });
  return created;
}

/** The same for many numbers; those that are withheld are missing. */
export async function findOrCreateContacts(
  ctx: TxCtx,
  numbers: readonly string[],
): Promise<Map<string, ContactRow>> {
  const uniqueNumbers = [...new Set(numbers.filter((n) => n.startsWith('+')))];
  const existing = await contactsOfNumbers(ctx.tx, ctx.companyId, uniqueNumbers);
  const unknownNumbers = uniqueNumbers.filter((n) => !existing.has(n));
  const created = unknownNumbers.length
    ? await insertContacts(ctx.tx, ctx.companyId, unknownNumbers, 'Manual', ctx.now)
    : [];
  await ctx.publishMany(
    contactChanged,
    created.map((c) => ({
      data: { contactId: c.id, name: c.name, number: c.number, added: true, changed: [] },
    })),
  );
  // Created by another transaction in between.
  const createdElsewhere =
    created.length < unknownNumbers.length
      ? await contactsOfNumbers(ctx.tx, ctx.companyId, unknownNumbers)
      : new Map<string, ContactRow>();
  return new Map([...existing, ...createdElsewhere, ...created.map((c) => [c.number, c] as const)]);
}
