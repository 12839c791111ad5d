import { foldedMatch } from '#contract/fold';

/**
 * Splits a line around the match: before, match, after. Without a match, all of it is in `before`.
 */
export function matchExcerpt(line: string, search: string, lead = 18): [string, string, string] {
  const words = search.replace(/\b(from|to|label|has|before|after):\S*/gi, '').trim();
  const found = foldedMatch(line, words);
  if (!found) return [line, '', ''];
  const [at, end] = found;
  const from = at > lead + 6 ? line.indexOf(' ', at - lead) + 1 || at - lead : 0;
  return [
    `${from > 0 && from <= at ? '… ' : ''}${line.slice(from <= at ? from : at, at)}`,
    line.slice(at, end),
    line.slice(end),
  ];
}
