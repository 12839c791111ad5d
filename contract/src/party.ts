import { formatPhone } from './phone.ts';

/** The party of a call, text or fax whose sender withheld their number. */
export const withheldParty = 'anonymous';

/**
 * What the other party is known by: a phone number (E.164), a short code (3 to 8 digits, no plus
 * sign), a sender name of letters (such as ACMEBANK), or nothing, because it is withheld.
 */
export type PartyKind = 'number' | 'short_code' | 'sender_name' | 'withheld';

/** What a stored party is; one whose digits are hidden is still a number. */
export function partyKind(party: string): PartyKind {
  if (party === withheldParty || party === '') return 'withheld';
  if (party.startsWith('+') || party.includes('•')) return 'number';
  return /^\d{3,8}$/.test(party) ? 'short_code' : 'sender_name';
}
/** Whether it is a phone number, which can be called, texted and kept with a contact. */
export const isNumber = (party: string): boolean => partyKind(party) === 'number';

/**
 * The party as people read it: the number formatted, a short code or sender name as it is, or the
 * words for a withheld number.
 */
export const partyName = (party: string, withheld = 'a withheld number'): string => {
  const kind = partyKind(party);
  if (kind === 'withheld') return withheld;
  return kind === 'number' ? formatPhone(party) : party;
};
