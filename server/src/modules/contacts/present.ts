import type { Contact } from '#contract/contacts';
import { contactTypes, contactSources, genders, optinTypes } from '#contract/contacts';
import type { Ctx } from '../../platform/context.ts';
import type { ContactRow } from './store.ts';

/** True when the actor may see that there is a contact, not who it is (A4, `mask_contact_details_for_users`). */
export const masked = (ctx: Ctx) => ctx.may('contacts.viewPii') === 'none';
const hideEmail = (email: string) => (email ? email.replace(/^(.).*(@.*)$/, '$1•••$2') : '');
const hideNumber = (number: string) => `${number.slice(0, 5)}•••${number.slice(-2)}`;
const oneOf = <T extends string>(all: readonly T[], value: string | null): T | null => all.find((v) => v === value) ?? null;

export function presentContact(c: ContactRow, hide: boolean): Contact {
  const seen = (text: string) => (hide && text ? '•••' : text);
  const unsubscribed = c.unsubscribed_at !== null;
  return {
    id: c.id, companyId: c.company_id, name: c.name, number: hide ? hideNumber(c.number) : c.number, companyName: c.company_name, title: c.title, email: hide ? hideEmail(c.email) : c.email,
    address1: seen(c.address1), address2: seen(c.address2), city: c.city, state: c.state, zip: seen(c.zip), country: c.country, notes: c.notes,
    optinType: oneOf(optinTypes, c.optin_type), optinSource: c.optin_source, alternativeNames: c.alternative_names, secondaryEmails: hide ? c.secondary_emails.map(hideEmail) : c.secondary_emails,
    carrier: c.carrier, gender: oneOf(genders, c.gender), ageRange: c.age_range, type: oneOf(contactTypes, c.type) ?? 'Other', source: oneOf(contactSources, c.source) ?? 'Manual',
    addedAt: c.created_at.toISOString(), updatedAt: c.updated_at.toISOString(), invalid: c.invalid, unsubscribed, isUnsubscribed: unsubscribed, groups: [], labels: [], eavAttributeValues: [], masked: hide,
  };
}

/** As others show it beside what they own. */
export const briefContact = (c: ContactRow, hide: boolean) => ({
  id: c.id, name: c.name, number: hide ? hideNumber(c.number) : c.number, email: hide ? hideEmail(c.email) : c.email, companyName: c.company_name, isUnsubscribed: c.unsubscribed_at !== null,
});
