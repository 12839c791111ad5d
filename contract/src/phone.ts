import {
  isPossiblePhoneNumber,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js/min';

const NANP = /^\+1([2-9]\d{2})([2-9]\d{2})(\d{4})$/;

/**
 * Normalizes a typed or pasted number to digits and `+`: drops invisible characters, `tel:`,
 * extensions and a spreadsheet's apostrophe; converts full-width digits, `00` to `+`, and letters
 * of a vanity number to keys.
 */
function tidyPhone(input: string): string {
  const text = input
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/^['’`]/, '')
    .replace(/^(?:tel|sms|callto):/i, '')
    .replace(/(?:;ext=|\s*(?:,|;)?\s*(?:ext(?:ension)?\.?|x|#)\s*)\d{1,8}$/i, '');
  const digits = text.replace(/[\s().,/\-\u2010-\u2015\u00b7\u2022]/g, '');
  const vanity =
    /^(?:\+?1)?(?:8(?:00|33|44|55|66|77|88)|(?<=1)\d{3})[\da-z]{7,}$/i.test(digits) &&
    /[a-z]/i.test(digits);
  // Letters of a word beyond the number's length are ignored, as when dialing.
  const keyed = vanity ? keypadDigits(digits).replace(/^(\+?1?)(\d{10}).*$/, '$1$2') : digits;
  return keyed.replace(/^00(?=[1-9])/, '+');
}

/**
 * A dialed or typed string as E.164, or null. Default country US (A §9). North American numbers
 * take a digits-only fast path: any possible number of the plan is accepted (fictional 555 numbers
 * too, which the validity tables refuse). An invalid number is tried again with a `+1-` prefix (B
 * §5); still invalid → null.
 */
export function normalizePhone(
  input: string | null | undefined,
  country: CountryCode = 'US',
): string | null {
  if (!input) return null;
  const digits = tidyPhone(input);
  if (/[^\d+]/.test(digits) || digits.lastIndexOf('+') > 0) return null;
  const fast = /^(?:\+?1)?([2-9]\d{2}[2-9]\d{6})$/.exec(digits);
  if (fast && (country === 'US' || country === 'CA' || digits.startsWith('+1')))
    return `+1${fast[1]}`;
  const parsed =
    parsePhoneNumberFromString(digits, country) ?? parsePhoneNumberFromString(`+1-${digits}`);
  if (!parsed || !isPossiblePhoneNumber(parsed.number)) return null;
  if (parsed.countryCallingCode === '1' && !NANP.test(parsed.number)) return null;
  return parsed.number;
}

const TOLL_FREE = new Set(['800', '833', '844', '855', '866', '877', '888']);
/**
 * Whether it is a toll-free number, after stripping dashes, brackets and spaces, with an optional
 * leading +1 (B §5).
 */
export function isTollFree(number: string): boolean {
  const digits = number.replace(/[-() ]/g, '').replace(/^\+?1(?=\d{10}$)/, '');
  return TOLL_FREE.has(digits.slice(0, 3));
}

/**
 * Whether it is a vanity number: after stripping non-alphanumerics, the last 7 characters contain a
 * letter (B §5).
 */
export function isVanity(text: string): boolean {
  return /[a-z]/i.test(text.replace(/[^a-z0-9]/gi, '').slice(-7));
}

const KEYS: Record<string, string> = Object.fromEntries(
  ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqrs', 'tuv', 'wxyz'].flatMap((letters, i) =>
    [...letters].map((l) => [l, String(i + 2)]),
  ),
);
/**
 * Converts letters to keypad digits; keeps digits, plus, dash, brackets and space; drops everything
 * else (B §5).
 */
export function keypadDigits(dialled: string): string {
  return [...dialled.toLowerCase()]
    .map((c) => KEYS[c] ?? (/[0-9+\-() ]/.test(c) ? c : ''))
    .join('');
}

/** The three-digit area code of a North American E.164 number, else null. */
export function areaCodeOf(e164: string): string | null {
  return NANP.exec(e164)?.[1] ?? null;
}

/**
 * `+1 415 555 2368`: with spaces, as a spreadsheet keeps a number as text. (It takes `+14155552368` for a
 * number of its own, and `+1-415-555-2368` for a sum.)
 */
export function spacedPhone(e164: string): string {
  const nanp = NANP.exec(e164);
  if (nanp) return `+1 ${nanp[1]} ${nanp[2]} ${nanp[3]}`;
  const spaced = parsePhoneNumberFromString(e164)
    ?.formatInternational()
    .replace(/[^\d+]+/g, ' ');
  return spaced?.includes(' ') ? spaced : e164.replace(/^(\+\d{2})(?=\d)/, '$1 ');
}

/** `(415) 555-2368` for US and CA, international with dashes between groups otherwise (B §9). */
export function formatPhone(
  e164: string,
  style: 'auto' | 'national' | 'international' = 'auto',
): string {
  const nanp = NANP.exec(e164);
  if (nanp && style !== 'international') return `(${nanp[1]}) ${nanp[2]}-${nanp[3]}`;
  if (nanp) return `+1-${nanp[1]}-${nanp[2]}-${nanp[3]}`;
  const parsed = parsePhoneNumberFromString(e164);
  return parsed ? parsed.formatInternational().replace(/ /g, '-') : e164;
}

/**
 * What someone dialed as a number and the keys to press once it is answered: an extension
 * ("x12", ";ext=12"), or what follows a pause (",,123#", "p123"). `keys` is empty where there are
 * none.
 */
export function splitDialed(input: string): { number: string; keys: string } {
  const text = input.trim();
  const extension = /^(.*\d)\s*(?:;ext=|[,;]?\s*(?:ext(?:ension)?\.?|x)\s*)(\d{1,8})$/i.exec(text);
  const found = extension ?? /^([^,;]*?\d)\s*[,;pw]([\d*#,;pw\s]*)$/i.exec(text);
  const [, number = text, keys = ''] = found ?? [];
  return { number, keys: keys.replace(/[^\d*#]/g, '').slice(0, 32) };
}
