import { emailPattern } from '#contract/email-address';
import { detectEncoding } from '../importing/reading/detect-encoding.ts';
import { textDecoder } from '../decode-text.ts';
import { emailsIn } from '../importing/parse-cell.ts';
import { readNumbers } from '../read-numbers.ts';
import {
  parameterOf,
  propertiesOf,
  splitCards,
  type Card,
  type CardProperty,
} from './card-lines.ts';
import { valueReader } from './card-values.ts';

/** What was left out of a card: its number in the file, the field, and a sentence. */
interface CardNote {
  row: number;
  field: string;
  message: string;
}
/** The cards of a file as rows to write, with what was left out of them. */
interface ReadCards {
  rows: Record<string, unknown>[];
  notes: CardNote[];
}
type Values = ReturnType<typeof valueReader>;

/** The bytes of a file, one per character, and how those beyond ASCII are read without a charset. */
function bytesOf(file: Uint8Array): { text: string; fallback: string } {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  let encoding: string;
  try {
    encoding = detectEncoding(bytes);
  } catch {
    encoding = 'windows-1252'; // zero bytes, which `clean` takes out
  }
  if (!encoding.startsWith('utf-16'))
    return {
      text: bytes.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, ''),
      fallback: encoding,
    };
  const decoded = textDecoder(encoding)(bytes, true);
  return { text: Buffer.from(decoded).toString('latin1'), fallback: 'utf-8' };
}

/**
 * The cards of files as rows to write; `unreadable` when none has anything, `too_many` beyond `most`.
 * Read property by property: a broken one costs itself, never the number or another card. Runs in a
 * thread (`readVcards`).
 */
export function readCards({
  files,
  most,
}: {
  files: readonly Uint8Array[];
  most: number;
}): ReadCards | 'unreadable' | 'too_many' {
  const cards = files.flatMap((file) => {
    const { text, fallback } = bytesOf(file);
    const values = valueReader(fallback);
    return splitCards(text).map((card) => ({ card, values }));
  });
  if (cards.length > most) return 'too_many';
  const notes: CardNote[] = [];
  const rows = cards.map(({ card, values }, i) =>
    rowOfCard(card, values, (field, message) => notes.push({ row: i + 1, field, message })),
  );
  return rows.some((row) => Object.keys(row).length > 1 || row['number'])
    ? { rows, notes }
    : 'unreadable';
}

/** Without characters that no text has. */
const clean = (text: string) =>
  text
    .replaceAll('\u0000', '')
    .replace(/\p{Cs}/gu, '')
    .trim();

function rowOfCard(
  card: Card,
  values: Values,
  note: (field: string, message: string) => void,
): Record<string, unknown> {
  const properties = propertiesOf(card);
  const all = (name: string) => properties.filter((property) => property.name === name);
  const texts = (name: string) =>
    all(name)
      .map((property) => clean(values.text(property)))
      .filter(Boolean);
  const [number = '', ...otherNumbers] = numbersOf(all('TEL'), values, note);
  const emails = [...new Set(texts('EMAIL').flatMap(emailsIn))].filter((email) => {
    const isValid = email.length <= 254 && emailPattern.test(email);
    if (!isValid) note('email', `“${email.slice(0, 60)}” isn’t an email address.`);
    return isValid;
  });
  const organization = all('ORG')
    .map((property) => joined(values.parts(property), ' '))
    .find(Boolean);
  const nicknames = all('NICKNAME').flatMap((property) => values.list(property).map(clean));
  const [address = [], ...furtherAddresses] = all('ADR')
    .map((property) => values.parts(property).map(clean))
    .filter((parts) => parts.some(Boolean));
  for (const further of furtherAddresses)
    note('address1', `Another address was left out: “${joined(further, ', ').slice(0, 120)}”.`);
  const line = (i: number) => (address[i] ?? '').replace(/\s*\n\s*/g, ', ');
  const row: Record<string, unknown> = {
    name: (
      texts('FN')[0] ??
      (nameOf(all('N'), values) || organization || nicknames[0] || '')
    ).slice(0, 120),
    companyName: organization ?? '',
    title: texts('TITLE')[0] ?? '',
    email: emails[0] ?? '',
    notes: texts('NOTE').join('\n').slice(0, 5000),
    address1: line(2) || line(0),
    address2: line(2) ? joined([line(1), line(0)], ', ') : line(1),
    city: line(3),
    state: line(4),
    zip: line(5),
    country: line(6),
    alternativeNames: nicknames.filter(Boolean).slice(0, 20),
    secondaryEmails: emails.slice(1, 21),
    otherNumbers: otherNumbers.slice(0, 20),
  };
  // A property that is missing leaves the contact's value unchanged.
  const filled = Object.entries(row).filter(([, value]) => (value as string | string[]).length > 0);
  return { number, ...Object.fromEntries(filled) };
}
const joined = (parts: readonly string[], separator: string) =>
  parts.map(clean).filter(Boolean).join(separator);

/** "Ana López" from family, given and additional names. */
function nameOf(properties: readonly CardProperty[], values: Values): string {
  const [property] = properties;
  if (!property) return '';
  const [family = '', given = '', additional = ''] = values.parts(property);
  return joined([given, additional, family], ' ');
}

/** The numbers of a card: mobile ones first, then preferred ones, faxes last. */
function numbersOf(
  properties: readonly CardProperty[],
  values: Values,
  note: (field: string, message: string) => void,
): string[] {
  const ranked = properties
    .map((property) => ({ typed: clean(values.text(property)), rank: rankOf(property) }))
    .filter(({ typed }) => typed !== '')
    .sort((a, b) => a.rank - b.rank);
  const read = ranked.map(({ typed }) => ({ typed, ...readNumbers(typed) }));
  const numbers = [...new Set(read.flatMap((one) => one.numbers))];
  if (!numbers.length) return ranked.slice(0, 1).map(({ typed }) => typed);
  for (const { leftOut } of read)
    for (const part of leftOut)
      note('number', `Left out because it isn’t a phone number: “${part.slice(0, 60)}”.`);
  return numbers;
}
function rankOf(property: CardProperty): number {
  const types = parameterOf(property, 'TYPE');
  if (types.includes('FAX') || types.includes('PAGER')) return 6;
  const isMobile = types.some((type) => ['CELL', 'MOBILE', 'IPHONE'].includes(type));
  const isPreferred = types.includes('PREF') || parameterOf(property, 'PREF').length > 0;
  return (isMobile ? 0 : 2) + (isPreferred ? 0 : 1);
}
