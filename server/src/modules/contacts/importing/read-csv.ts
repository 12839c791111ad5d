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
    const { data } = Papa.parse<string[]>(head, { delimiter, newline: '\n', preview: 30, skipEmptyLines: true });
    const columns = data[0]?.length ?? 0;
    return columns < 2 ? 0 : data.filter((row) => row.length === columns).length / data.length + columns / 1000;
  };
  return [',', ';', '\t'].map((one) => [one, evenness(one)] as const).reduce((best, one) => (one[1] > best[1] ? one : best))[0];
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
export const unguarded = (cell: string): string => (cell.startsWith("'") && /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell);

export async function* csvRows(bytes: Buffer, encoding: string): AsyncGenerator<FileRow> {
  let rest = '';
  let row = 0;
  let parser: Papa.Parser | null = null;
  const config = { delimiter: ',', newline: '\n' as const, quoteChar: '"', escapeChar: '"' };
  const parse = (last: boolean): string[][] => {
    if (!parser) {
      config.delimiter = separatorOf(rest.slice(0, 64 * 1024));
      if (/^sep=.\n/.test(rest)) { rest = rest.slice(6); row = 1; }
    }
    parser = new Papa.Parser(config);
    const { data, meta } = parser.parse(rest, 0, !last) as { data: string[][]; meta: { cursor: number } };
    rest = last ? '' : rest.slice(meta.cursor);
    if (rest.length > LONGEST_ROW) throw new BadFile(`Row ${row + data.length + 1} does not end: a quote is opened there and never closed.`);
    return data;
  };
  let begun = false;
  for (const piece of pieces(bytes, encoding)) {
    rest += begun ? piece : piece.replace(/^\uFEFF/, '');
    begun = true;
    for (const cells of parse(false)) yield { row: ++row, cells: cells.map(unguarded) };
  }
  if (rest) for (const cells of parse(true)) yield { row: ++row, cells: cells.map(unguarded) };
}
