/** Reserved opt-out keywords, compared with the whole message without case and punctuation. */
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
] as const;

export const optInWords = ['START', 'YES', 'UNSTOP'] as const;

export const helpWords = ['HELP', 'INFO'] as const;

/** Why a text can't be sent; the same code is used from rule to screen. */
export const textBlockReasons = [
  'company_inactive',
  'contact_opted_out',
  'blocked',
  'number_not_verified',
  'no_sms',
  'number_gone',
  'carrier_gone',
  'anonymous',
] as const;

export type TextBlockReason = (typeof textBlockReasons)[number];

/** The error code, and with it the sentence, of each reason. */
export const errorCodeOfReason = {
  company_inactive: 'company.inactive',
  contact_opted_out: 'contact.unsubscribed',
  blocked: 'contact.blocked',
  number_not_verified: 'number.not_verified',
  no_sms: 'number.no_sms',
  number_gone: 'number.gone',
  carrier_gone: 'number.carrier_gone',
  anonymous: 'contact.anonymous',
} as const satisfies Record<TextBlockReason, string>;

export const optOutSources = [
  'keyword',
  'carrier_error',
  'manual',
  'import',
  'api',
  'complaint',
] as const;
