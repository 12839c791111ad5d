/** What a carrier sends, read for the server: browsers load `party.ts` alone. */
import { withheldParty } from './party.ts';
import { keypadDigits, normalizePhone } from './phone.ts';

/**
 * The words by which carriers, phones and SIP trunks say that a number is withheld, as letters only.
 */
const withheldWords = new Set([
  'anonymous',
  'anonymouscaller',
  'blocked',
  'blockedcaller',
  'callerwithheld',
  'coinlinepayphone',
  'hidden',
  'idunavailable',
  'idwithheld',
  'nocallerid',
  'nonumber',
  'notavailable',
  'null',
  'numberunavailable',
  'numberwithheld',
  'outofarea',
  'payphone',
  'private',
  'privatecaller',
  'privatenumber',
  'restricted',
  'suppressed',
  'unavailable',
  'undefined',
  'unidentified',
  'unknown',
  'unknowncaller',
  'unknownnumber',
  'withheld',
  'withheldnumber',
]);
/**
 * The same words on a phone's keypad, which carriers send where only digits fit: ANONYMOUS is
 * 266696687 (Twilio, “Voice request parameters”: ANONYMOUS, BLOCKED, RESTRICTED, UNAVAILABLE,
 * UNKNOWN).
 */
const withheldKeys = new Set(
  ['anonymous', 'blocked', 'private', 'restricted', 'unavailable', 'unknown', 'withheld'].map(
    (word) => keypadDigits(word),
  ),
);

/** Whether a sender, in whatever form, says that the number is withheld. */
function isWithheld(sender: string): boolean {
  const letters = sender.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  if (letters === '' || withheldWords.has(letters) || /^1?0+$/.test(letters)) return true;
  // Only the exact digits: with a country code of one's own it is somebody's number.
  return withheldKeys.has(sender.replace(/^\+/, ''));
}

const maxNameLength = 40;

/**
 * The party behind what a carrier sends as the sender: E.164, a short code, a sender name, or
 * `anonymous`. Reads SIP and `tel:` addresses, with a display name too (`"Ana" <sip:+1310…@host>`);
 * `anonymous.invalid` and a `Privacy` header other than `none` mean withheld.
 */
export function readParty(sender: string | null | undefined, privacy?: string | null): string {
  if (privacy && isPrivate(privacy)) return withheldParty;
  const text = addressOf((sender ?? '').normalize('NFKC'))
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  if (isWithheld(text)) return withheldParty;
  if (/^\d{3,8}$/.test(text)) return text;
  if (/^\+\d{4,15}$/.test(text)) return text;
  if (/^[\d\s().+-]+$/.test(text)) return normalizePhone(text) ?? withheldParty;
  return text.slice(0, maxNameLength).trim();
}

/** Whether a `Privacy` header (RFC 3323, 3325) or a carrier’s flag asks to hide the caller. */
const isPrivate = (privacy: string): boolean =>
  privacy
    .toLowerCase()
    .split(/[;,\s]+/)
    .some((value) => ['id', 'user', 'header', 'full', 'uri', 'yes', 'true', 'on'].includes(value));

/** The user part of a SIP or `tel:` address; any other text as it is. */
function addressOf(sender: string): string {
  const address = /<([^<>]*)>/.exec(sender)?.[1] ?? sender;
  const uri = /^\s*(?:sips?|tel|sms):([^@;?>]*)(?:[^@]*@([^;?>]*))?/i.exec(address);
  if (!uri) return address;
  if (/(?:^|\.)invalid(?::\d+)?$/i.test(uri[2]?.trim() ?? '')) return withheldParty;
  return decodeUser(uri[1] ?? '');
}
function decodeUser(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user; // A broken escape is a name like any other.
  }
}
