import { contactChanged, type contactSources } from '#contract/contacts';
import type { TxCtx } from '../../platform/context.ts';
import { contactsOfNumbers, insertContact, insertContacts, type ContactRow } from './store.ts';

/** The living contact with this number (E.164), made when there is none. Callers who withhold their number have none. */
export async function findOrMakeContact(
  ctx: TxCtx,
  number: string,
  made: { name?: string; source?: (typeof contactSources)[number] } = {},
): Promise<ContactRow | null> {
  if (!number.startsWith('+')) return null;
  const known = (await contactsOfNumbers(ctx.tx, ctx.companyId, [number])).get(number);
  if (known) return known;
  const fresh = await insertContact(
    ctx.tx,
    ctx.companyId,
    number,
    made.name ?? '',
    made.source ?? 'Manual',
    ctx.now,
  );
  if (!fresh) return (await contactsOfNumbers(ctx.tx, ctx.companyId, [number])).get(number) ?? null;
  await ctx.say(contactChanged, {
    contactId: fresh.id,
    name: fresh.name,
    number: fresh.number,
    added: true,
    changed: [],
  });
  return fresh;
}

/** The same for many numbers at once. */
export async function findOrMakeContacts(
  ctx: TxCtx,
  numbers: readonly string[],
): Promise<Map<string, ContactRow>> {
  const wanted = [...new Set(numbers.filter((n) => n.startsWith('+')))];
  const known = await contactsOfNumbers(ctx.tx, ctx.companyId, wanted);
  const missing = wanted.filter((n) => !known.has(n));
  const fresh = missing.length
    ? await insertContacts(ctx.tx, ctx.companyId, missing, 'Manual', ctx.now)
    : [];
  await ctx.sayAll(
    contactChanged,
    fresh.map((c) => ({
      data: { contactId: c.id, name: c.name, number: c.number, added: true, changed: [] },
    })),
  );
  // Somebody else may have made one meanwhile.
  const late =
    fresh.length < missing.length
      ? await contactsOfNumbers(ctx.tx, ctx.companyId, missing)
      : new Map<string, ContactRow>();
  return new Map([...known, ...late, ...fresh.map((c) => [c.number, c] as const)]);
}
