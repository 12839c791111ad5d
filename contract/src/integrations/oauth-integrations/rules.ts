/** What connected accounts can be asked for (B §7). Browsers load this. */

/** What an account at a provider lists, so that a person can choose from it. */
export const lookupKinds = [
  'accessible-customers',
  'campaigns',
  'conversions',
  'pixels',
  'business-managers',
  'ad-accounts',
] as const;
export type LookupKind = (typeof lookupKinds)[number];
/** Entries that one look-up lists at most. */
export const mostLookedUp = 1000;
