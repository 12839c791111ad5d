import type { ScriptCheck } from '#contract/tracking/script-schemas';
import { SEAM, type ReadPage } from './read-html.ts';

type Target = ScriptCheck['targets'][number];

/** What the script lets stand between two digits (`snippet/src/numbers.ts`). */
const GAP = '[\\s\u0001().\\-\u200e-\u2015\u2212/\u00b7\u2022]{0,5}';
/** Anything but a digit, so far apart that people still read one number. */
const ANY = '[^\\d]{1,12}?';
const KEYS = ['', '', 'abc', 'def', 'ghi', 'jkl', 'mno', 'pqrs', 'tuv', 'wxyz'];
const MOST_FORMATS = 10;

/** How a page shows the numbers that a pool replaces, and whether the script will. Pure. */
export const findTargets = (page: ReadPage, numbers: readonly string[]): Target[] =>
  numbers.map((number) => findTarget(page, number));

function findTarget(page: ReadPage, number: string): Target {
  const national = number.replace(/^\+1(?=\d{10}$)/, '').replace(/\D/g, '');
  const found = matchesIn(page.text, national);
  const linked = page.telLinks.filter(
    (link) => matchesIn(link.replace(/%20/g, ' '), national).length > 0,
  );
  const occurrences = found.length + linked.length;
  const formats = [...new Set(found.map(formOf))].slice(0, MOST_FORMATS);
  if (occurrences > 0) return { number, occurrences, formats, willSwap: true, reason: null };
  const kept = matchesIn(page.keptText, national);
  if (kept.length > 0)
    return {
      ...{ number, occurrences: kept.length, formats: [...new Set(kept.map(formOf))] },
      ...{ willSwap: false, reason: 'kept_by_page' },
    };
  const spread = new RegExp([...national].join(`(?:${ANY})?`)).exec(page.text);
  const form = spread && formOf(spread[0].replace(/\s+/g, ' '));
  return form
    ? { number, occurrences: 1, formats: [form], willSwap: false, reason: 'format_unknown' }
    : { number, occurrences: 0, formats: [], willSwap: false, reason: 'not_found' };
}

/** A number as the script would find it. */
function matchesIn(text: string, national: string): string[] {
  const [first = '', second = '', ...others] = national;
  const isAmerican = national.length === 10;
  const body = others.map(
    (digit, at) => GAP + (isAmerican && at ? `[${digit}${KEYS[Number(digit)] ?? ''}]` : digit),
  );
  // A line ends a number: a block, or a break in it.
  const pattern = new RegExp(
    `(\\(?${first}${second}${body.join('')})`.replaceAll('\\s', ' \\u00a0\\t'),
    'gi',
  );
  return [...text.matchAll(pattern)]
    .filter(({ index, 0: found }) => {
      const before = text
        .slice(Math.max(0, index - 8), index)
        .replace(/(?:\+?1[ \u00a0().-]*|0)$/, '');
      return (
        !/[\w+]$/.test(before) &&
        !(/[a-z]$/i.test(found) ? /^[\d_]/ : /^\w/).test(text.slice(index + found.length))
      );
    })
    .map(({ 0: found }) => found);
}

/** "(212) 555-0100" as "(###) ###-####". */
const formOf = (found: string): string =>
  found.split(SEAM).join('').replace(/\d/g, '#').replace(/[a-z]/gi, '@').trim();
