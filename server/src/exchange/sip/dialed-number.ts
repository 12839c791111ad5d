/** What a phone dialed, and what its display can show. */
import { readUri } from './grammar.ts';

/**
 * The number in a request's address, with letters of a vanity number and without punctuation,
 * extension and keys after a pause (`dialedKeys`); null when it is not a number. Reads `tel:` (RFC 3966) and the
 * same within `sip:`: a `phone-context` that begins with a plus sign goes before a local number.
 */
export function dialedNumber(uri: string): string | null {
  const [subscriber = '', ...params] = telephoneOf(uri).split(';');
  const [main = ''] = subscriber.split(pause);
  const typed = main.replace(/[\s().-]/g, '');
  const context = params
    .map((param) => /^phone-context=(\+[\d().-]+)$/i.exec(param)?.[1])
    .find((found) => found !== undefined);
  const user = context && !typed.startsWith('+') ? withContext(context, typed) : typed;
  const isVanity = /^\+?1?[2-9]\d{2}[0-9a-z]{7,12}$/i.test(user);
  return isVanity || /^\+?[0-9*#]{1,32}$/.test(user) ? user : null;
}

/** Commas and the letters p and w between digits are pauses before further keys. */
const pause = /,|(?<=\d)[pw](?=[\dpw#*]*$)/i;
const mostKeys = 32;
/**
 * The keys to press once the call is answered: the extension, else what follows a pause. Empty:
 * none.
 */
export function dialedKeys(uri: string): string {
  const [subscriber = '', ...params] = telephoneOf(uri).split(';');
  const [, ...after] = subscriber.split(pause);
  const given = params.map((param) => /^(?:ext=|postd=)?([\d*#().pw,-]+)$/i.exec(param)?.[1] ?? '');
  const keys = [...given, ...after].join('').replace(/[^\d*#]/g, '');
  return keys.slice(0, mostKeys);
}

/** `;phone-context=+1` and 3105550303 are +13105550303, also when the 1 was dialed. */
function withContext(context: string, local: string): string {
  const prefix = context.replace(/[().-]/g, '');
  const digits = prefix === '+1' ? local.replace(/^1(?=\d{10}$)/, '') : local;
  return prefix + digits;
}

/** The number and parameters of a `tel:` address, or the user part of a `sip:` address. */
function telephoneOf(uri: string): string {
  const tel = /^tel:(.*)$/i.exec(uri)?.[1];
  if (tel === undefined) return readUri(uri)?.user ?? '';
  try {
    return decodeURIComponent(tel);
  } catch {
    return '';
  }
}

const plainChars: Readonly<Record<string, string>> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  ' ': ' ',
};
const longestReason = 100;

/** A sentence in the characters that a status line may have and phones display. */
export const plainReason = (sentence: string): string =>
  sentence
    .replace(/[^\x20-\x7e]/g, (char) => plainChars[char] ?? char)
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, longestReason);
