import Papa from 'papaparse';
import { BadFile, type FileRow } from './bad-file.ts';

const PIECE_BYTES = 256 * 1024;
/** A row that does not end within this is no row: a quote was opened and never closed. */
const LONGEST_ROW = 4 * 1024 * 1024;

/** `;` and tabs are as common as commas; a pipe separates groups within a cell, so it is none. The one that makes the evenest table. */
function separatorOf(head: string): string {
  const said = /^sep=(.)\n/.exec(head)?.[1];
  if (said) return said;
  const evenness = (delimiter: string): number => {
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
    .map((one) => [one, evenness(one)] as const)
    .reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** Text in pieces, every line end a single one wherever a piece was cut. */
function* pieces(bytes: Buffer, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding);
  let held = '';
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    let text = held + decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true });
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
export const unguarded = (cell: string): string =>
  cell.startsWith("'") && /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell;

const unclosed =
  'A quote (") is opened in this row and never closed. The row was read as it stands.';
/** More of them, and the quotes of the whole file mean something else. */
const MOST_UNCLOSED = 100;
type Row = Pick<FileRow, 'cells' | 'fault'>;
/** A line whose quotes make no sense: cut at each separator, and quotes around a cell taken off. */
const cutPlainly = (line: string, delimiter: string): string[] =>
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
      config.delimiter = separatorOf(rest.slice(0, 64 * 1024));
      if (/^sep=.\n/.test(rest)) {
        rest = rest.slice(6);
        row = 1;
      }
    }
    const rows: Row[] = [];
    for (;;) {
      const { data, errors, meta } = read(last);
      const bad = errors.find(
        (e) =>
          e.code === 'MissingQuotes' ||
          (e.code === 'InvalidQuotes' && data[e.row!]?.some((cell) => cell.includes('\n'))),
      )?.row;
      if (bad === undefined) {
        rest = last ? '' : rest.slice(meta.cursor);
        if (rest.length > LONGEST_ROW)
          throw new BadFile(
            `Row ${row + rows.length + data.length + 1} does not end: a quote is opened there and never closed.`,
          );
        return [...rows, ...data.map((cells) => ({ cells }))];
      }
      if (++faults > MOST_UNCLOSED)
        throw new BadFile(
          `Row ${row + rows.length + bad + 1} and ${MOST_UNCLOSED} before it open a quote (") and never close it. Save the file as CSV again.`,
        );
      const start = bad === 0 ? 0 : read(last, bad).meta.cursor;
      const end = rest.indexOf('\n', start);
      rows.push(...data.slice(0, bad).map((cells) => ({ cells })), {
        cells: cutPlainly(rest.slice(start, end < 0 ? undefined : end), config.delimiter),
        fault: unclosed,
      });
      rest = end < 0 ? '' : rest.slice(end + 1);
      if (!rest) return rows;
    }
  };
  const numbered = ({ cells, fault }: Row): FileRow => ({
    row: ++row,
    cells: cells.map(unguarded),
    ...(fault ? { fault } : {}),
  });
  let begun = false;
  for (const piece of pieces(bytes, encoding)) {
    rest += begun ? piece : piece.replace(/^\uFEFF/, '');
    begun = true;
    for (const one of parse(false)) yield numbered(one);
  }
  if (rest) for (const one of parse(true)) yield numbered(one);
}
