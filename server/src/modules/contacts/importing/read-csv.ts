import Papa from 'papaparse';
import { textDecoder } from '../decode-text.ts';
import { InvalidFile, type FileRow } from './file-errors.ts';
import { hasPaddedQuotes, PaddedQuotes } from './reading/padded-quotes.ts';

const chunkBytes = 256 * 1024;
/** A longer row has a quote that is never closed. */
const maxRowCharacters = 4 * 1024 * 1024;

/** How many columns most lines have, and how many lines agree; 0: fewer than two columns. */
function consistency(head: string, delimiter: string): number {
  const { data } = Papa.parse<string[]>(head, {
    delimiter,
    newline: '\n',
    preview: 30,
    skipEmptyLines: true,
  });
  // Of most lines, not of the first: a title can stand above the headers.
  const lines = new Map<number, number>();
  for (const { length } of data) if (length > 1) lines.set(length, (lines.get(length) ?? 0) + 1);
  const scores = [...lines].map(([columns, count]) => count / data.length + columns / 1000);
  return Math.max(0, ...scores);
}
/**
 * Comma, semicolon or tab: the one that gives the most even columns, or the one that a line `sep=` at
 * the top names. A pipe separates groups within a cell, so it counts only where the first line with
 * any of them has no other, or where none of the others divides the lines.
 */
function detectDelimiter(head: string): string {
  const declared = /^sep=(.)\n/.exec(head)?.[1];
  if (declared) return declared;
  const divided = head.split('\n', 30).find((line) => /[|,;\t]/.test(line)) ?? '';
  const [best, score] = [',', ';', '\t']
    .map((one) => [one, consistency(head, one)] as const)
    .reduce((best, one) => (one[1] > best[1] ? one : best));
  const isPiped = divided.includes('|') && !/[,;\t]/.test(divided.replace(/"[^"]*"/g, ''));
  return isPiped || (score < 0.5 && consistency(head, '|') > 0.9) ? '|' : best;
}

/** The decoded text in pieces, with `\n` for every line end, also where a piece ends within one. */
function* decodedChunks(bytes: Buffer, encoding: string): Generator<string> {
  const decode = textDecoder(encoding);
  let held = '';
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    let text = held + decode(bytes.subarray(at, at + chunkBytes));
    held = text.endsWith('\r') ? '\r' : '';
    if (held) text = text.slice(0, -1);
    yield text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  }
  const last = (held + decode(new Uint8Array(), true)).replaceAll('\r', '\n');
  if (last) yield last;
}

/** Removes the apostrophe with which exports guard formulas (`escapeGuard` in `csv-cells.ts`). */
export const unguardFormula = (cell: string): string =>
  cell.startsWith("'") && /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell;

/** A cell that a spreadsheet keeps as text by a formula (`="0044"`), as that text. */
const plainCell = (cell: string): string => /^="(.*)"$/s.exec(cell)?.[1] ?? unguardFormula(cell);

const unclosedQuote = 'A quote (") in this row is never closed. The row was read as is.';
/** A file with more of them uses quotes in another way. */
const maxUnclosedQuotes = 100;
type Row = Pick<FileRow, 'cells' | 'problem'>;
/** A line whose quotes don't match: split at each delimiter, with quotes around cells removed. */
const splitUnquoted = (line: string, delimiter: string): string[] =>
  line.split(delimiter).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*?)"?$/, '$1')
      .replaceAll('""', '"'),
  );

/** Parses text that arrives in pieces. */
class CsvParser {
  #rest = '';
  #row = 0;
  #delimiter: string | null = null;
  #unclosedQuotes = 0;
  #padding: PaddedQuotes | null = null;

  /** The rows that are complete so far. `isLast`: no more text comes. */
  push(text: string, isLast: boolean): FileRow[] {
    if (this.#delimiter === null) text = this.#begin(text);
    this.#rest += this.#padding?.push(text, isLast) ?? text;
    if (!this.#rest) return [];
    return this.#takeRows(isLast).map(({ cells, problem }) => ({
      row: ++this.#row,
      cells: cells.map(plainCell),
      ...(problem ? { problem } : {}),
    }));
  }

  /** Finds out how the file is written; returns its first piece without a line `sep=`. */
  #begin(text: string): string {
    if (!text) return text;
    const head = text.slice(0, 64 * 1024);
    this.#delimiter = detectDelimiter(head);
    if (hasPaddedQuotes(head, this.#delimiter)) this.#padding = new PaddedQuotes(this.#delimiter);
    if (!/^sep=.\n/.test(text)) return text;
    this.#row = 1;
    return text.slice('sep=,\n'.length);
  }

  #takeRows(isLast: boolean): Row[] {
    const rows: Row[] = [];
    for (;;) {
      const { data, errors, meta } = this.#parse(isLast);
      const badIndex = errors.find((error) => isBadQuote(error, data))?.row;
      if (badIndex === undefined) {
        this.#rest = isLast ? '' : this.#rest.slice(meta.cursor);
        if (this.#rest.length > maxRowCharacters)
          throw new InvalidFile(
            `Row ${this.#row + rows.length + data.length + 1} doesn’t end: a quote in it is never closed.`,
          );
        return [...rows, ...data.map((cells) => ({ cells }))];
      }
      if (++this.#unclosedQuotes > maxUnclosedQuotes)
        throw new InvalidFile(
          `Row ${this.#row + rows.length + badIndex + 1} and ${maxUnclosedQuotes} rows before it have a quote (") that is never closed. Save the file as CSV again.`,
        );
      const start = badIndex === 0 ? 0 : this.#parse(isLast, badIndex).meta.cursor;
      rows.push(...data.slice(0, badIndex).map((cells) => ({ cells })), this.#takeLine(start));
      if (!this.#rest) return rows;
    }
  }

  /** Takes everything up to the end of the line at `start`; that line is split ignoring quotes. */
  #takeLine(start: number): Row {
    const end = this.#rest.indexOf('\n', start);
    const line = this.#rest.slice(start, end < 0 ? undefined : end);
    this.#rest = end < 0 ? '' : this.#rest.slice(end + 1);
    return { cells: splitUnquoted(line, this.#delimiter ?? ','), problem: unclosedQuote };
  }

  #parse(isLast: boolean, preview = 0): ParsedText {
    const options = { newline: '\n' as const, quoteChar: '"', escapeChar: '"', preview };
    const parser = new Papa.Parser({ ...options, delimiter: this.#delimiter ?? ',' });
    return parser.parse(this.#rest, 0, !isLast) as ParsedText;
  }
}
interface ParsedText {
  data: string[][];
  errors: Papa.ParseError[];
  meta: { cursor: number };
}
/** A quote that is never closed, or only by a quote in a later line. */
const isBadQuote = ({ code, row }: Papa.ParseError, data: readonly string[][]): boolean =>
  code === 'MissingQuotes' ||
  (code === 'InvalidQuotes' && Boolean(data[row ?? -1]?.some((cell) => cell.includes('\n'))));

/**
 * The rows of a text file. A quote that is not closed before the next one opens, or never, would pull
 * the following lines into its cell: that line alone is split ignoring quotes and gets a problem.
 * Throws InvalidFile when a row doesn't end, or too many lines have such quotes.
 */
export async function* csvRows(bytes: Buffer, encoding: string): AsyncGenerator<FileRow> {
  const parser = new CsvParser();
  let isFirst = true;
  for (const text of decodedChunks(bytes, encoding)) {
    yield* parser.push(isFirst ? text.replace(/^\uFEFF/, '') : text, false);
    isFirst = false;
  }
  yield* parser.push('', true);
}
