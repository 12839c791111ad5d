import { sql, type RawBuilder } from 'kysely';

/**
 * What a person may not see of the people a company deals with (A4 `contacts.viewPii`). Reporting
 * sees numbers, which reports need (A4 rule 6), but no email addresses.
 */
export interface Hidden {
  numbers: boolean;
}

/** For searches, which see the same as people do (`without_details`). */
export const textSeen = (text: RawBuilder<unknown>, hidden: Hidden | null): RawBuilder<unknown> =>
  hidden ? sql`without_details(${text}, ${hidden.numbers})` : text;

/** International numbers, and American ones in any common notation. */
const numberPatterns = [
  /(?<![\w•])\+\d(?:[\s().-]{0,2}\d){7,14}(?!\d)/g,
  /(?<![\w•.@/&=+-])(?:1[\s.-]?)?(?:\([2-9]\d{2}\)|[2-9]\d{2})[\s.-]?[2-9]\d{2}[\s.-]?\d{4}(?![\w@]|[.-]\d)/g,
];
const emailPattern = /[\w.+%-]+@[\w-]+(?:\.[\w-]+)+/g;

/** An email with only its first letter and its domain. */
export const maskEmail = (email: string): string => email.replace(/^(.).*(@.*)$/, '$1•••$2');
/** The number with its middle masked; of a short one, only the end is shown. */
export const maskNumber = (number: string): string =>
  number.length < 10 ? `•••${number.slice(-2)}` : `${number.slice(0, 5)}•••${number.slice(-2)}`;

const toE164 = (written: string): string => {
  const digits = written.replace(/\D/g, '');
  if (written.startsWith('+')) return `+${digits}`;
  return digits.length === 11 ? `+${digits}` : `+1${digits}`;
};
/** Links to our files are signed: a changed one doesn't open. */
const isFileLink = (text: string): boolean => text.startsWith('/api/files/');

/** Calls `found` with each number (E.164) and email in a text; returns it with the answers. */
function replaceDetails(text: string, hidden: Hidden, found: (detail: string) => string | null) {
  if (text.length < 5 || isFileLink(text)) return text;
  const emailsDone = text.includes('@')
    ? text.replace(emailPattern, (email) => found(email.toLowerCase()) ?? email)
    : text;
  if (!hidden.numbers || !/\d{2}/.test(emailsDone)) return emailsDone;
  return numberPatterns.reduce(
    (done, pattern) => done.replace(pattern, (written) => found(toE164(written)) ?? written),
    emailsDone,
  );
}
const maskOf = (detail: string): string =>
  detail.includes('@') ? maskEmail(detail) : maskNumber(detail);

/** A text without numbers and emails, except those in `own` (E.164 and lower case). */
const maskText = (text: string, hidden: Hidden, own: ReadonlySet<string> = none): string =>
  replaceDetails(text, hidden, (detail) => (own.has(detail) ? null : maskOf(detail)));
const none: ReadonlySet<string> = new Set();

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Parts of a postal address, wherever they appear. */
const addressKeys = new Set(['address1', 'address2', 'street', 'zip']);

/** The value with each text in it replaced, those of its keys included. */
function mapTexts(
  value: unknown,
  change: (text: string, key: string) => string,
  key = '',
): unknown {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change, key));
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [change(name, ''), mapTexts(one, change, name)]),
  );
}

/** The numbers (E.164) and emails (lower case) in a value. */
export function detailsIn(value: unknown, hidden: Hidden): string[] {
  const details = new Set<string>();
  mapTexts(value, (text) =>
    replaceDetails(text, hidden, (detail) => {
      details.add(detail);
      return null;
    }),
  );
  return [...details];
}

/** The value without addresses, numbers and emails, except those numbers and emails in `own`. */
export const maskValue = <T>(value: T, hidden: Hidden, own: ReadonlySet<string>): T =>
  mapTexts(value, (text, key) =>
    addressKeys.has(key) && text ? '•••' : maskText(text, hidden, own),
  ) as T;
