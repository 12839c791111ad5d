import type { PartyKind } from '../party.ts';

/**
 * Reserved opt-out keywords, compared with a text's own words without case, accents and
 * punctuation. The French ones are for Canada.
 */
export const optOutWords = [
  'STOP',
  'STOPALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'REVOKE',
  'OPTOUT',
  'OPT OUT',
  'REMOVE',
  'ARRET',
  'ARRÊT',
  'FIN',
] as const;

export const optInWords = ['START', 'YES', 'UNSTOP'] as const;

export const helpWords = ['HELP', 'INFO', 'AIDE'] as const;

/** Why a text can't be sent; the same code is used from rule to screen. */
export const textBlockReasons = [
  'company_inactive',
  'company_suspended',
  'plan_limit',
  'contact_opted_out',
  'blocked',
  'number_not_verified',
  'no_sms',
  'number_gone',
  'carrier_gone',
  'anonymous',
  'short_code',
  'sender_name',
] as const;

export type TextBlockReason = (typeof textBlockReasons)[number];

/** The error code, and with it the sentence, of each reason. */
export const errorCodeOfReason = {
  company_inactive: 'company.inactive',
  company_suspended: 'company.suspended',
  plan_limit: 'plan.texts',
  contact_opted_out: 'contact.unsubscribed',
  blocked: 'contact.blocked',
  number_not_verified: 'number.not_verified',
  no_sms: 'number.no_sms',
  number_gone: 'number.gone',
  carrier_gone: 'number.carrier_gone',
  anonymous: 'contact.anonymous',
  short_code: 'contact.short_code',
  sender_name: 'contact.sender_name',
} as const satisfies Record<TextBlockReason, string>;

/** The error code of sending to such a party; null: it can be written to. */
export const errorOfParty = {
  number: null,
  withheld: 'contact.anonymous',
  short_code: 'contact.short_code',
  sender_name: 'contact.sender_name',
} as const satisfies Record<PartyKind, string | null>;

/** What someone decided about a text that may be an opt-out; `undecided` takes it back. */
export const optOutDecisions = ['opt_out', 'keep', 'undecided'] as const;

export const optOutSources = [
  'keyword',
  'carrier_error',
  'manual',
  'import',
  'api',
  'complaint',
] as const;
