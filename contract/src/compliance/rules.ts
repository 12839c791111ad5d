/** Words that a carrier's rules reserve: the whole message, case and punctuation aside. */
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

/** Why a text may not be sent now. The reason travels untouched from the rule to the screen. */
export const textBlockReasons = [
  'contact_opted_out',
  'blocked',
  'number_not_verified',
  'no_sms',
  'number_gone',
  'carrier_gone',
  'anonymous',
] as const;

export type TextBlockReason = (typeof textBlockReasons)[number];

/** Each reason's refusal, and so its sentence. */
export const errorCodeOfReason = {
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
