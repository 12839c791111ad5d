import type { Body } from '#contract';
import { normalizePhone } from '#contract/phone';
import { contactChanged, type Contact, type updateContact as said } from '#contract/contacts';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, missing, refuse } from '../../platform/refuse.ts';
import { masked, presentContact } from './present.ts';
import { contactById, contactsByNumber, patchContact } from './store.ts';

const columns = {
  name: 'name', companyName: 'company_name', title: 'title', email: 'email', address1: 'address1', address2: 'address2', city: 'city', state: 'state', zip: 'zip', country: 'country', notes: 'notes',
  optinType: 'optin_type', optinSource: 'optin_source', alternativeNames: 'alternative_names', secondaryEmails: 'secondary_emails', gender: 'gender', ageRange: 'age_range', type: 'type',
} as const;
/** What somebody who sees it masked would overwrite with dots. */
const hidden = ['number', 'email', 'address1', 'address2', 'zip', 'secondaryEmails'] as const;

export async function updateContact(ctx: TxCtx, id: number, body: Body<typeof said>): Promise<{ data: Contact }> {
  const before = (await contactById(ctx.tx, ctx.companyId, id)) ?? missing();
  if (masked(ctx) && hidden.some((field) => body[field] !== undefined)) refuse('role.forbidden');
  const patch: Record<string, unknown> = {};
  for (const [field, column] of Object.entries(columns)) {
    const value = body[field as keyof typeof columns];
    if (value !== undefined) patch[column] = value;
  }
  if (body.number !== undefined) {
    const number = normalizePhone(body.number) ?? invalid({ number: 'Enter a phone number.' });
    const other = (await contactsByNumber(ctx.tx, ctx.companyId, [number]))[0];
    if (other && other.id !== id) refuse('contact.exists', {}, { id: other.id });
    patch['number'] = number;
  }
  const changed = Object.keys(patch).filter((column) => JSON.stringify(patch[column]) !== JSON.stringify(before[column as keyof typeof before]));
  if (!changed.length) return { data: presentContact(before, masked(ctx)) };
  const after = await patchContact(ctx.tx, ctx.companyId, id, patch, ctx.now);
  await ctx.say(contactChanged, { contactId: id, name: after.name, number: after.number, added: false, changed });
  return { data: presentContact(after, masked(ctx)) };
}
