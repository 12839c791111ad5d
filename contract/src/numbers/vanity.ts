import { keypadDigits } from '../phone.ts';

/** How a pattern is matched with a number (B §5 vanity, A6.2 patterns). */
type MatchMode = 'Contains' | 'Starts with' | 'Ends with';

interface PatternQuery {
  pattern?: string | undefined;
  match: MatchMode;
  words?: readonly string[] | undefined;
}

/**
 * GET /patterns. In a shape, equal letters mean equal digits and different letters different
 * digits.
 */
export const savedPatterns = [
  { id: 'AABB', name: 'Two pairs', pattern: 'AABB', example: '3377' },
  { id: 'ABAB', name: 'Repeated pair', pattern: 'ABAB', example: '3737' },
  { id: 'ABBA', name: 'Mirrored', pattern: 'ABBA', example: '3773' },
  { id: 'repeating', name: 'Four alike', pattern: 'AAAA', example: '7777' },
  { id: 'triple', name: 'Three alike', pattern: 'AAA', example: '777' },
  { id: 'sequential', name: 'Counting up or down', pattern: '1234', example: '4567' },
  { id: 'word', name: 'Spells a word', pattern: 'word', example: 'HOME' },
] as const;

type PatternId = (typeof savedPatterns)[number]['id'];

/** Words that the pattern `word` looks for. */
export const commonWords = [
  'AUTO',
  'BABY',
  'BANK',
  'BEST',
  'BIKE',
  'BLUE',
  'BOAT',
  'BOOK',
  'CALL',
  'CARE',
  'CARS',
  'CASH',
  'CHEF',
  'CITY',
  'CLUB',
  'COOL',
  'DEAL',
  'DENT',
  'DOGS',
  'EASY',
  'FAST',
  'FIRE',
  'FISH',
  'FOOD',
  'FREE',
  'GOLD',
  'GOOD',
  'HAIR',
  'HELP',
  'HOME',
  'JOBS',
  'KIDS',
  'LAWN',
  'LAWS',
  'LIFE',
  'LIVE',
  'LOAN',
  'LOVE',
  'MOVE',
  'NEWS',
  'PARK',
  'PETS',
  'PLAN',
  'PLAY',
  'POOL',
  'RENT',
  'RIDE',
  'ROOF',
  'SAFE',
  'SAVE',
  'SELL',
  'SHIP',
  'SHOP',
  'SOLD',
  'STAR',
  'TALK',
  'TAXI',
  'TEAM',
  'TECH',
  'TOUR',
  'TOWN',
  'TREE',
  'WELL',
  'WINE',
  'WORK',
  'YOGA',
] as const;

const shapeOf: Partial<Record<PatternId, string>> = {
  AABB: 'AABB',
  ABAB: 'ABAB',
  ABBA: 'ABBA',
  repeating: 'AAAA',
  triple: 'AAA',
};

const savedPattern = (text: string | undefined): PatternId | null =>
  savedPatterns.find((p) => p.id.toLowerCase() === text?.toLowerCase())?.id ?? null;

/** Whether digits have this shape. */
export function hasShape(digits: string, shape: string): boolean {
  if (digits.length !== shape.length) return false;
  const meaning = new Map<string, string>();
  return [...shape].every((letter, i) => {
    const known = meaning.get(letter);
    if (known !== undefined) return known === digits[i];
    if ([...meaning.values()].includes(digits.charAt(i))) return false;
    meaning.set(letter, digits.charAt(i));
    return true;
  });
}

/** Whether four or more digits in a row each rise (or each fall) by one. */
export function isSequential(digits: string): boolean {
  const step = Number(digits[1]) - Number(digits[0]);
  return (
    digits.length >= 4 &&
    Math.abs(step) === 1 &&
    [...digits].every((d, i) => i === 0 || Number(d) - Number(digits[i - 1]) === step)
  );
}

/** A pattern as digits: letters by keypad, `*` as wildcard, everything else dropped. */
export const patternDigits = (text: string): string =>
  [...text]
    .filter((c) => /[a-z0-9*]/i.test(c))
    .map((c) => (c === '*' ? c : keypadDigits(c)))
    .join('');

/** Index of `template` (digits and `*`) in `digits` by the match mode; -1 when absent. */
function placeOf(digits: string, template: string, match: MatchMode): number {
  const fits = (at: number) => [...template].every((c, i) => c === '*' || c === digits[at + i]);
  const last = digits.length - template.length;
  if (last < 0 || template.length === 0) return -1;
  if (match === 'Starts with') return fits(0) ? 0 : -1;
  if (match === 'Ends with') return fits(last) ? last : -1;
  for (let at = 0; at <= last; at++) if (fits(at)) return at;
  return -1;
}

function windowWhere(
  digits: string,
  length: number,
  match: MatchMode,
  test: (window: string) => boolean,
): number {
  const last = digits.length - length;
  const places =
    match === 'Starts with'
      ? [0]
      : match === 'Ends with'
        ? [last]
        : Array.from({ length: last + 1 }, (_, i) => i);
  return places.find((at) => test(digits.slice(at, at + length))) ?? -1;
}

/** `415-555-HOME`: the national digits with a word spelled at index `at`. */
export function spelled(national: string, word: string, at: number): string {
  const text = [...national];
  [...word.toUpperCase()].forEach((c, i) => {
    if (/[A-Z]/.test(c)) text[at + i] = c;
  });
  const crosses = at < 6 && at + word.length > 6;
  const [area, local] = [text.slice(0, 3).join(''), text.slice(3).join('')];
  return crosses ? `${area}-${local}` : `${area}-${local.slice(0, 3)}-${local.slice(3)}`;
}

/**
 * Matches a number (ten national digits) with a query; null: no match. Up to seven characters are
 * searched in the seven digits after the area code, longer patterns in all ten. `text`: the
 * spelling when the query had letters.
 */
export function matchNumber(
  national: string,
  wanted: PatternQuery,
): { text: string | null } | null {
  let text: string | null = null;
  const find = (asked: string): boolean => {
    const template = patternDigits(asked);
    const from = template.length > 7 ? 0 : 3;
    const at = placeOf(national.slice(from), template, wanted.match);
    if (at >= 0 && /[a-z]/i.test(asked))
      text ??= spelled(national, asked.replace(/[^a-z0-9*]/gi, ''), at + from);
    return at >= 0;
  };
  if (wanted.words?.length && !wanted.words.some(find)) return null;
  if (!wanted.pattern) return { text };
  const saved = savedPattern(wanted.pattern);
  const local = national.slice(3);
  if (saved === 'word') return commonWords.some(find) ? { text } : null;
  if (saved === 'sequential')
    return windowWhere(local, 4, wanted.match, isSequential) >= 0 ? { text } : null;
  if (saved) {
    const shape = shapeOf[saved]!; // the two saved patterns without a shape are handled above
    return windowWhere(local, shape.length, wanted.match, (w) => hasShape(w, shape)) >= 0
      ? { text }
      : null;
  }
  return find(wanted.pattern) ? { text } : null;
}

/**
 * Digit templates that satisfy the query, longest first, for an inventory's own search; empty for
 * shapes.
 */
export function templatesOf(wanted: PatternQuery): string[] {
  const asked = wanted.words?.length
    ? wanted.words
    : savedPattern(wanted.pattern) === 'word'
      ? commonWords
      : wanted.pattern && !savedPattern(wanted.pattern)
        ? [wanted.pattern]
        : [];
  return asked
    .map(patternDigits)
    .filter((t) => t.length > 0)
    .sort((a, b) => b.length - a.length);
}
