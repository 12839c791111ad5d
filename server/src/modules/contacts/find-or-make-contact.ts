import { contactChanged, type contactSources } from '#contract/contacts';
import type { TxCtx } from '../../platform/context.ts';
import { contactsByNumber, insertContact, type ContactRow } from './store.ts';

/** The living contact with this number (E.164), made when there is none. Callers who withhold their number have none. */
export async function findOrMakeContact(ctx: TxCtx, number: string, made: { name?: string; source?: (typeof contactSources)[number] } = {}): Promise<ContactRow | null> {
  if (!number.startsWith('+')) return null;
  const known = (await contactsByNumber(ctx.tx, ctx.companyId, [number]))[0];
  if (known) return known;
  const fresh = await insertContact(ctx.tx, ctx.companyId, number, made.name ?? '', made.source ?? 'Manual', ctx.now);
  if (!fresh) return (await contactsByNumber(ctx.tx, ctx.companyId, [number]))[0] ?? null;
  await ctx.say(contactChanged, { contactId: fresh.id, name: fresh.name, number: fresh.number, added: true, changed: [] });
  return fresh;
}
