/** A search term. `of`: words of that speaker; `all`: transcript, note, tags or caller. */
export interface SearchTerm {
  text: string;
  way: 'word' | 'phrase' | 'prefix' | 'digits';
  of: 'all' | 'agent' | 'client';
  not: boolean;
}

/**
 * Parses a search (A9.4): `"exact phrase"`, `-word`, `-"phrase"`, `begin*`, `speaker:client` or
 * `speaker:agent` for the terms after it. Everything else is a word; four or more digits also match
 * phone numbers. Reads 300 characters, 20 terms at most.
 */
export function readCallSearch(q: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  let of: SearchTerm['of'] = 'all';
  for (const [term, minus = '', phrase, word = ''] of q
    .slice(0, 300)
    .matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)) {
    const speaker = speakerOf(term);
    if (speaker) {
      of = speaker;
      continue;
    }
    const not = minus === '-';
    if (phrase !== undefined) {
      if (/[\p{L}\p{N}]/u.test(phrase)) terms.push({ text: phrase.trim(), way: 'phrase', of, not });
      continue;
    }
    const digits = word.replace(/[\s().+-]/g, '');
    if (/^\d{4,15}$/.test(digits) && of === 'all')
      terms.push({ text: digits, way: 'digits', of, not });
    else if (/^[\p{L}\p{N}]{2,}\*$/u.test(word))
      terms.push({ text: word.slice(0, -1), way: 'prefix', of, not });
    else if (/[\p{L}\p{N}]/u.test(word)) terms.push({ text: word, way: 'word', of, not });
  }
  return terms.slice(0, 20);
}

/**
 * The side that `speaker:client`, `speaker:agent` or `speaker:all` names; undefined: other term.
 */
function speakerOf(term: string): SearchTerm['of'] | undefined {
  const sides = ['client', 'agent', 'all'] as const;
  return sides.find((side) => term.toLowerCase() === `speaker:${side}`);
}

/** The words of a text with their positions, lower case and without possessive 's. */
export function* wordsOf(text: string): Generator<{ word: string; at: number; end: number }> {
  for (const found of text.matchAll(/[\p{L}\p{N}]+(?:[’'][\p{L}]+)?/gu))
    yield {
      word: found[0].toLowerCase().replace(/[’']s$/, ''),
      at: found.index,
      end: found.index + found[0].length,
    };
}
/** The positions of the words that match. */
export const findMarks = (text: string, matches: (word: string) => boolean): [number, number][] =>
  [...wordsOf(text)].filter(({ word }) => matches(word)).map(({ at, end }) => [at, end]);

const MAX_SNIPPET_LENGTH = 160;
/** The part of a text around its first mark, with the marks shifted accordingly. */
export function snippetOf(
  text: string,
  marks: readonly [number, number][],
): { snippet: string; marks: [number, number][] } {
  const [first] = marks;
  if (text.length <= MAX_SNIPPET_LENGTH || !first)
    return {
      snippet: text.slice(0, MAX_SNIPPET_LENGTH),
      marks: marks.filter(([, to]) => to <= MAX_SNIPPET_LENGTH).map(([from, to]) => [from, to]),
    };
  let begin = Math.max(0, Math.min(first[0] - 50, text.length - MAX_SNIPPET_LENGTH));
  if (begin > 0) begin = text.lastIndexOf(' ', begin) + 1;
  const end = begin + MAX_SNIPPET_LENGTH;
  const lead = begin > 0 ? '… ' : '';
  return {
    snippet: `${lead}${text.slice(begin, end)}${end < text.length ? ' …' : ''}`,
    marks: marks
      .filter(([from, to]) => from >= begin && to <= end)
      .map(([from, to]) => [from - begin + lead.length, to - begin + lead.length]),
  };
}
