import { normalizePhone } from '#contract/phone';

/** The numbers in a text that someone typed into a field for one. */
interface ReadNumbers {
  /** E.164, each once, in the order of the text. */
  numbers: string[];
  /** Parts with digits that are no number, and what follows one (a pause, an extension). */
  leftOut: string[];
  /** True for a number that a spreadsheet rounded: its last digits are lost. */
  isRounded: boolean;
}

/** Longer cells are cut: they hold no list of numbers, and the time to search one is bounded. */
const maxCharacters = 500;
/** A number in scientific notation: as a spreadsheet writes long ones. */
const scientific = /^\+?(\d)(?:[.,](\d+))?E\+?0?(\d{1,2})$/i;
/** Programs that write more digits than this don't round, they leave out zeros at the end. */
const wholeDigits = 8;
/** Null: the text isn't in scientific notation. */
function readScientific(text: string): ReadNumbers | null {
  const match = scientific.exec(text);
  if (!match) return null;
  const [, first = '', decimals = '', power = ''] = match;
  const isWhole = decimals.length >= Number(power) || decimals.length >= wholeDigits;
  const digits = first + decimals.padEnd(Number(power), '0');
  const isInteger = /^0*$/.test(digits.slice(Number(power) + 1));
  const number = isWhole && isInteger ? normalizePhone(digits.slice(0, Number(power) + 1)) : null;
  return { numbers: number ? [number] : [], leftOut: [], isRounded: !isWhole };
}

const words = String.raw`(?:or|and|und|oder|ou|et|y|o)`;
/** Where one number ends and the next begins. */
const separators = new RegExp(
  [
    String.raw`\s*:::\s*`,
    String.raw`\s*[\n|&]\s*`,
    // Not before a parameter of an address ("tel:+1…;ext=12").
    String.raw`\s*;(?!\s*(?:ext|isub|phone-context)=)\s*(?=[+(]?\d[\d\s().-]{5}|\D)`,
    String.raw`\s*,\s*(?=[+(]?\d(?:[\s().-]*\d){6}|[a-z]{3,}\b(?<!ext|extension))`,
    String.raw`\s*[/\\]\s*`,
    String.raw`\s+${words}\s+`,
    // Between two that only a space parts, and before a label ("Mobile: …").
    String.raw`(?<=\d[\s().-]{0,3}\d[\s().-]{0,3}\d)\)?\s+(?=\+\d|[a-z]{1,12}:)`,
    String.raw`(?<=\d{4}\)?)\s*(?=\(\d{3}\)\s*\d{3})`,
  ].join('|'),
  'i',
);
/** What a phone dials after it is answered, and extensions in words. */
const dialedAfter = /\s*(?:[,;pw]+\s*[\d*#,;pw]*|(?:,|;)?\s*(?:x|ext\.?|extension)\s*\d{1,8}#?)$/i;

/** The number of one part, and what follows it; null: the part has no number. */
function readPart(part: string): { number: string; after: string } | null {
  const plain = normalizePhone(part);
  if (plain && !/\d\s*[,;pw]+\s*\d+#?$/i.test(part)) return { number: plain, after: '' };
  const bare = part
    .replace(/^\s*(?:tel|sms|callto):/i, '')
    .replace(/\(\s*\p{L}[^()\d]*\)/gu, ' ')
    .replace(/^[\p{L}\s.:'’#-]+(?=[+(\d])/u, '')
    .replace(/[\s:–-]+\p{L}[\p{L}\s.'’)]*$/u, '')
    .replace(/(?<=\d{10,15})\.0+$/, '')
    .trim();
  const after = dialedAfter.exec(bare)?.[0] ?? '';
  const number = normalizePhone(after ? bare.slice(0, -after.length) : bare);
  return number === null ? null : { number, after: after.trim() };
}

/** Numbers written out in full, within a sentence. */
const inSentence =
  /\+\d[\d\s().-]{8,17}\d|(?<![\d-])(?:1[\s.-]?)?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?![\d-])/g;
/** Several numbers of ten digits or more that only spaces part, or numbers among words. */
function readSpaced(part: string): string[] {
  const tokens = part.trim().split(/\s+/);
  const numbers = tokens.map((token) =>
    token.replace(/\D/g, '').length >= 10 ? normalizePhone(token) : null,
  );
  if (tokens.length > 1 && numbers.every((number) => number !== null)) return numbers;
  const isSentence = /\p{L}{2}/u.test(part);
  return isSentence
    ? (part.match(inSentence) ?? []).flatMap((found) => normalizePhone(found) ?? [])
    : [];
}

/**
 * Reads the numbers in a cell or a vCard's property: several of them in any writing, with labels,
 * pauses, extensions, or in a spreadsheet's scientific notation. Nothing is guessed.
 */
export function readNumbers(typed: string): ReadNumbers {
  const text = typed
    .slice(0, maxCharacters)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/[^\S\n]+/g, ' ')
    .replace(/^['’`](?=[\d(+])/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/^\d{1,3}(?:,\d{3})+$/, (grouped) => grouped.replaceAll(',', ''));
  const inScience = readScientific(text);
  if (inScience) return inScience;
  const whole = readPart(text);
  // A comma or semicolon in it can be a pause, or part two numbers.
  if (whole && !whole.after) return { numbers: [whole.number], leftOut: [], isRounded: false };
  const numbers = new Set<string>();
  const leftOut: string[] = [];
  let isRounded = false;
  for (const part of text.split(separators)) {
    const sought = part?.trim() ?? '';
    if (!/\d/.test(sought)) continue;
    const exact = readScientific(sought);
    isRounded ||= exact?.isRounded === true;
    const read = exact ? null : readPart(sought);
    const found = exact?.numbers ?? (read ? [read.number] : readSpaced(sought));
    for (const number of found) numbers.add(number);
    if (!found.length) leftOut.push(sought);
    else if (read && /\d/.test(read.after)) leftOut.push(read.after);
  }
  return { numbers: [...numbers], leftOut, isRounded };
}
