import { hasNameAndNumber, suggestMapping } from '#contract/contacts/importing/rules';

/** Lines above the headers that are looked at: a title, the company's name, a date. */
export const maxTitleLines = 20;

const filled = (cells: readonly string[]): number => cells.filter((cell) => cell !== '').length;

/**
 * The index of the row with the headers among a file's first rows: the first that names a name and a
 * number; else the first row, unless it is a title alone in its line.
 */
export function headerRowOf(rows: readonly (readonly string[])[]): number {
  const named = rows.findIndex((cells) => hasNameAndNumber(suggestMapping(cells)));
  if (named >= 0) return named;
  const [first = []] = rows;
  if (filled(first) > 1) return 0;
  const widest = Math.max(...rows.map(filled));
  return Math.max(0, widest < 2 ? 0 : rows.findIndex((cells) => filled(cells) > 1));
}
