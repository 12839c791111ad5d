import type { Contact } from '#contract/contacts/schemas';
import {
  contactTypes,
  contactSources,
  crmNames,
  genders,
  optinTypes,
} from '#contract/contacts/rules';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { maskEmail, maskNumber } from '../../platform/masking/mask-text.ts';
import { valuesOf } from '../fields/index.ts';
import { ownersOfContacts } from './crm/store-crm.ts';
import { groupsOfContacts } from './groups/store-members.ts';
import { labelsOfContacts } from './labels/store-labels.ts';
import { type ContactRow } from './store.ts';
import { mergedNumbers } from './store-numbers.ts';

/**
 * True when the user sees contacts without personal details (A4, `mask_contact_details_for_users`).
 */
export const areDetailsMasked = (ctx: Pick<Ctx, 'may'>) => ctx.may('contacts.viewPii') === 'none';
/**
 * True when exports mask the other party's number, too. Reporting sees callers' numbers (A4 rule
 * 6).
 */
export const areNumbersMasked = (ctx: Pick<Ctx, 'may' | 'role'>) =>
  areDetailsMasked(ctx) && ctx.role !== 'reporting';
const oneOf = <T extends string>(all: readonly T[], value: string | null): T | null =>
  all.find((v) => v === value) ?? null;

/** What other tables know about a contact. */
interface ContactJoins {
  groups: Contact['groups'];
  labels: Contact['labels'];
  numbers: string[];
  values: Contact['eavAttributeValues'];
  crmOwner: Contact['crmOwner'];
}
/** For a contact of whose joins nothing is shown. */
export const noJoins: ContactJoins = {
  groups: [],
  labels: [],
  numbers: [],
  values: [],
  crmOwner: null,
};

/** Contacts as the API returns them, in six statements however many. */
export async function presentContacts(ctx: TxCtx, rows: readonly ContactRow[]): Promise<Contact[]> {
  if (!rows.length) return [];
  const ids = rows.map((r) => r.id);
  const [groups, labels, numbers, values, owners] = [
    await groupsOfContacts(ctx.tx, ctx.companyId, ids),
    await labelsOfContacts(ctx.tx, ctx.companyId, ids),
    await mergedNumbers(ctx.tx, ctx.companyId, ids),
    await valuesOf(ctx, 7, ids),
    await ownersOfContacts(ctx.tx, ctx.companyId, ids),
  ];
  const isMasked = areDetailsMasked(ctx);
  return rows.map((c) =>
    presentContact(c, isMasked, {
      groups: groups.filter((g) => g.contact_id === c.id).map(({ id, name }) => ({ id, name })),
      labels: labels.filter((l) => l.contact_id === c.id).map(({ id, label }) => ({ id, label })),
      numbers: numbers.filter((n) => n.contact_id === c.id).map((n) => n.number),
      values: values.get(c.id) ?? [],
      crmOwner: ownerOf(owners.find((one) => one.contact_id === c.id)),
    }),
  );
}

function ownerOf(row: Awaited<ReturnType<typeof ownersOfContacts>>[0] | undefined) {
  const provider = oneOf(crmNames, row?.provider ?? null);
  return row && provider ? { name: row.owner_name, provider } : null;
}

/** A contact as the API returns it. Masked: number, email and address are hidden. */
export function presentContact(
  c: ContactRow,
  isMasked: boolean,
  joins: ContactJoins = noJoins,
): Contact {
  const maskText = (text: string) => (isMasked && text ? '•••' : text);
  const unsubscribed = c.unsubscribed_at !== null;
  return {
    id: c.id,
    companyId: c.company_id,
    name: c.name,
    number: isMasked ? maskNumber(c.number) : c.number,
    companyName: c.company_name,
    title: c.title,
    email: isMasked ? maskEmail(c.email) : c.email,
    address1: maskText(c.address1),
    address2: maskText(c.address2),
    city: c.city,
    state: c.state,
    zip: maskText(c.zip),
    country: c.country,
    notes: c.notes,
    optinType: oneOf(optinTypes, c.optin_type),
    optinSource: c.optin_source,
    alternativeNames: c.alternative_names,
    secondaryEmails: isMasked ? c.secondary_emails.map(maskEmail) : c.secondary_emails,
    otherNumbers: isMasked ? joins.numbers.map(maskNumber) : joins.numbers,
    carrier: c.carrier,
    gender: oneOf(genders, c.gender),
    ageRange: c.age_range,
    type: oneOf(contactTypes, c.type) ?? 'Other',
    source: oneOf(contactSources, c.source) ?? 'Manual',
    addedAt: c.created_at.toISOString(),
    updatedAt: c.updated_at.toISOString(),
    deletedAt: c.deleted_at?.toISOString() ?? null,
    invalid: c.invalid,
    unsubscribed,
    isUnsubscribed: unsubscribed,
    groups: joins.groups,
    labels: joins.labels,
    eavAttributeValues: joins.values,
    nameFrom: oneOf(crmNames, c.name_from),
    companyNameFrom: oneOf(crmNames, c.company_name_from),
    crmOwner: joins.crmOwner,
    masked: isMasked,
  };
}

/** A contact as other modules show it beside their own objects. */
export const presentContactSummary = (c: ContactRow, isMasked: boolean) => ({
  id: c.id,
  name: c.name,
  number: isMasked ? maskNumber(c.number) : c.number,
  email: isMasked ? maskEmail(c.email) : c.email,
  companyName: c.company_name,
  isUnsubscribed: c.unsubscribed_at !== null,
});
