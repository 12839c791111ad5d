import type { Body } from '#contract';
import type { updateContact as said } from '#contract/contacts/endpoints';

/** The plain fields of a contact: name in the API → column. */
export const contactColumns = {
  name: 'name',
  companyName: 'company_name',
  title: 'title',
  email: 'email',
  address1: 'address1',
  address2: 'address2',
  city: 'city',
  state: 'state',
  zip: 'zip',
  country: 'country',
  notes: 'notes',
  optinType: 'optin_type',
  optinSource: 'optin_source',
  alternativeNames: 'alternative_names',
  secondaryEmails: 'secondary_emails',
  gender: 'gender',
  ageRange: 'age_range',
  type: 'type',
  carrier: 'carrier',
} as const;
type ContactField = keyof typeof contactColumns;
/** Fields that are masked for some users, who therefore can't change them. */
export const maskedFields = [
  'number',
  'email',
  'address1',
  'address2',
  'zip',
  'secondaryEmails',
  'otherNumbers',
] as const;

/** The fields of a body, by column; those left out are left out. */
export function contactPatchOf(
  body: Partial<Pick<Body<typeof said>, ContactField>>,
): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const [field, column] of Object.entries(contactColumns)) {
    const value = body[field as ContactField];
    if (value !== undefined) patch[column] = value;
  }
  return patch;
}
