/** What connected accounts can be asked for (B §7). Browsers load this. */

/** What an account at a provider lists, so that a person can choose from it. */
export const lookupKinds = [
  'accessible-customers',
  'campaigns',
  'conversions',
  'pixels',
  'business-managers',
  'ad-accounts',
  'owners',
  'pipelines',
  'properties',
  'locations',
  'tags',
] as const;
export type LookupKind = (typeof lookupKinds)[number];
/** Our facts that can be written to fields of a person in a CRM. */
export const crmFields = [
  'source',
  'medium',
  'campaign',
  'keyword',
  'landing_page',
  'tracking_number',
  'number_label',
  'department',
  'outcome',
  'value',
  'company',
  'street',
  'city',
  'state',
  'zip',
  'country',
] as const;
export type CrmField = (typeof crmFields)[number];

/** Entries that one look-up lists at most. */
export const mostLookedUp = 1000;
