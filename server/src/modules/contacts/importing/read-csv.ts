import Papa from 'papaparse';
import { InvalidFile, type FileRow } from './file-errors.ts';

const chunkBytes = 256 * 1024;
/** A row that does not end within this is no row: a quote was opened and never closed. */
const maxRowCharacters = 4 * 1024 * 1024;

/** `;` and tabs are as common as commas; a pipe separates groups within a cell, so it is none. The one that makes the evenest table. */
function detectDelimiter(head: string): string {
  const declared = /^sep=(.)\n/.exec(head)?.[1];
  if (declared) return declared;
  const consistency = (delimiter: string): number => {
    const { data } = Papa.parse<string[]>(head, {
      delimiter,
      newline: '\n',
      preview: 30,
      skipEmptyLines: true,
    });
    const columns = data[0]?.length ?? 0;
    return columns < 2
      ? 0
      : data.filter((row) => row.length === columns).length / data.length + columns / 1000;
  };
  return [',', ';', '\t']
    .map((one) => [one, consistency(one)] as const)
    .reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** Text in pieces, every line end a single one wherever a piece was cut. */
function* decodedChunks(bytes: Buffer, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding);
  let held = '';
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    let text = held + decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true });
    held = text.endsWith('\r') ? '\r' : '';
    if (held) text = text.slice(0, -1);
    yield text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  }
  const last = (held + decoder.decode()).replaceAll('\r', '\n');
  if (last) yield last;
}

/**
 * An apostrophe before what looks like a formula is the exporter's guard (ours and others'), not part of the text. One that was
 * there before it was guarded has two.
 */
export const unguardFormula = (cell: string): string =>
  cell.startsWith("'") && /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell;

const unclosedQuote = 'A quote (") in this row is never closed. The row was read as is.';
/** More of them, and the quotes of the whole file mean something else. */
const maxUnclosedQuotes = 100;
type Row = Pick<FileRow, 'cells' | 'problem'>;
/** A line whose quotes make no sense: cut at each separator, and quotes around a cell taken off. */
const splitUnquoted = (line: string, delimiter: string): string[] =>
  line.split(delimiter).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*?)"?$/, '$1')
      .replaceAll('""', '"'),
  );

/**
 * The rows of a text file. A quote that is opened and not closed before the next one begins, or at all, would take the lines
 * after it into its cell: its line is read by itself instead and says so, and reading goes on with the next.
 */
export async function* csvRows(bytes: Buffer, encoding: string): AsyncGenerator<FileRow> {
  let rest = '';
  let row = 0;
  let found = false;
  let faults = 0;
  const config = { delimiter: ',', newline: '\n' as const, quoteChar: '"', escapeChar: '"' };
  const read = (last: boolean, preview = 0) =>
    new Papa.Parser({ ...config, preview }).parse(rest, 0, !last) as {
      data: string[][];
      errors: Papa.ParseError[];
      meta: { cursor: number };
    };
  const parse = (last: boolean): Row[] => {
    if (!found) {
      found = true;
      config.delimiter = detectDelimiter(rest.slice(0, 64 * 1024));
      if (/^sep=.\n/.test(rest)) {
        rest = rest.slice(6);
        row = 1;
      }
    }
    const rows: Row[] = [];
    for (;;) {
      const { data, errors, meta } = read(last);
      const badIndex = errors.find(
        (e) =>
          e.code === 'MissingQuotes' ||
          (e.code === 'InvalidQuotes' && data[e.row!]?.some((cell) => cell.includes('\n'))),
      )?.row;
      if (badIndex === undefined) {
        rest = last ? '' : rest.slice(meta.cursor);
        if (rest.length > maxRowCharacters)
          throw new InvalidFile(
            `Row ${row + rows.length + data.length + 1} doesn’t end: a quote in it is never closed.`,
          );
        return [...rows, ...data.map((cells) => ({ cells }))];
      }
      if (++faults > maxUnclosedQuotes)
        throw new InvalidFile(
          `Row ${row + rows.length + badIndex + 1} and ${maxUnclosedQuotes} rows before it have a quote (") that is never closed. Save the file as CSV again.`,
        );
      const start = badIndex === 0 ? 0 : read(last, badIndex).meta.cursor;
      const end = rest.indexOf('\n', start);
      rows.push(...data.slice(0, badIndex).map((cells) => ({ cells })), {
        cells: splitUnquoted(rest.slice(start, end < 0 ? undefined : end), config.delimiter),
        problem: unclosedQuote,
      });
      rest = end < 0 ? '' : rest.slice(end + 1);
      if (!rest) return rows;
    }
  };
  const numbered = ({ cells, problem: fault }: Row): FileRow => ({
    row: ++row,
    cells: cells.map(unguardFormula),
    ...(fault ? { problem: fault } : {}),
  });
  let begun = false;
  for (const piece of decodedChunks(bytes, encoding)) {
    rest += begun ? piece : piece.replace(/^\uFEFF/, '');
    begun = true;
    for (const one of parse(false)) yield numbered(one);
  }
  if (rest) for (const one of parse(true)) yield numbered(one);
}
