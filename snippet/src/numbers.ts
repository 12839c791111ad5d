/** A number on the page and the one its visitor sees instead. */
export interface Swap {
  /** As the page has it, E.164. */
  target: string;
  number: string;
  display: { national: string; international: string; e164: string };
  /** Until when the number is this visitor's; null: always. */
  expiresAt?: string | null;
  /** Only inside elements that match one of these; empty: anywhere. */
  selectors?: string[];
}
/** A place in a text where a target stands, and what to write there. */
export interface Found {
  from: number;
  to: number;
  text: string;
  swap: Swap;
}
/** Finds every target in a text, in order. */
export type Finder = (text: string) => Found[];

/** Between the texts of a line. */
export const SEAM = '\u0001';
/** What people write between the digits of a number, and marks of direction. */
const GAP = '[\\s\u0001().\\-\u200e-\u2015\u2212/\u00b7\u2022]{0,5}';
/** The letters of each key of a phone. */
const KEYS = ',,abc,def,ghi,jkl,mno,pqrs,tuv,wxyz'.split(',');

/** The digits in a text. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');
/** Digits of the target's country code, as far as it is American or that of the new number. */
const codeOf = ({ target, display }: Swap): string =>
  [
    digitsOf(display.international.split(/[\s-]/)[0] ?? ''),
    /^\+1\d{10}$/.test(target) ? '1' : '',
  ].find((code) => target.startsWith(`+${code}`)) ?? '';

/** A pattern for the national part in any grouping; after the area code it can be a word. */
function patternOf(swap: Swap): string {
  const code = codeOf(swap);
  const [first = '', second = '', ...others] = digitsOf(swap.target).slice(code.length);
  // Two digits that are always together make the search through a page fast.
  return (
    first +
    second +
    others
      .map((digit, at) => GAP + (code === '1' && at ? `[${digit}${KEYS[+digit] ?? ''}]` : digit))
      .join('')
  );
}

/** What stands in a text instead of a number, in the form it had there. */
function inFormOf(found: string, swap: Swap): string {
  const code = codeOf(swap);
  const old = digitsOf(swap.target);
  const next = digitsOf(swap.number);
  if (!code || old.length !== next.length || !next.startsWith(code))
    return found[0] === '+' || digitsOf(found).length >= old.length
      ? swap.display.international
      : swap.display.national;
  const digits = next.slice(code.length);
  let left = digits.length;
  const chars = [...found];
  for (let at = chars.length - 1; at >= 0 && left > 0; at -= 1)
    if (/[\da-z]/i.test(chars[at] ?? '')) chars[at] = digits[(left -= 1)] ?? '';
  // "1-800-FLOWERS" becomes "1-866-555-0123", not "1-866-5550123".
  return /[a-z]{7}/i.test(found)
    ? chars
        .join('')
        .replace(
          /([-. ]?)(\d{3})(\d{4})$/,
          (_, gap: string, a: string, b: string) => `${gap}${a}${gap || '-'}${b}`,
        )
    : chars.join('');
}

/** What a text matches, wherever it begins and ends, that holds one of these targets. */
export const suspectOf = (swaps: readonly Swap[]): RegExp =>
  new RegExp(swaps.map(patternOf).join('|'), 'i');

/** A finder of these targets; null when there are none. */
export function finderOf(swaps: readonly Swap[]): Finder | null {
  if (swaps.length === 0) return null;
  // What may stand before the national part: the country code, or the zero of a trunk.
  const leads = swaps.map((swap) => new RegExp(`(\\+?${codeOf(swap)}${GAP}|0)?$`));
  const pattern = new RegExp(swaps.map((swap) => `(${patternOf(swap)})`).join('|'), 'gi');
  return (text) => {
    const found: Found[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      let from = match.index;
      let to = pattern.lastIndex;
      const which = match.slice(1).findIndex(Boolean);
      const swap = swaps[which];
      if (!swap) break;
      const [lead = ''] = leads[which]?.exec(text.slice(Math.max(0, from - 8), from)) ?? [];
      // A word can be longer than the number: 1-800-MATTRESS.
      while (/[a-z]$/i.test(match[0]) && /[a-z]/i.test(text[to] ?? '')) to += 1;
      if (/[\w+]/.test(text[from - lead.length - 1] ?? '') || /\w/.test(text[to] ?? '')) {
        pattern.lastIndex = from + 1;
        continue;
      }
      from -= lead.length;
      const written = inFormOf(lead + match[0], swap);
      // The bracket that opens "(212)" isn't matched; a whole new form brings its own.
      const closes = /^[^(]*\)/;
      if (text[from - 1] === '(' && closes.test(match[0]) && !closes.test(written)) from -= 1;
      found.push({ from, to, text: written, swap });
      pattern.lastIndex = to;
    }
    return found;
  };
}
