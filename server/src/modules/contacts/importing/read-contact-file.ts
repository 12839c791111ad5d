import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { TextEncoding } from '#contract/contacts/importing/encodings';
import { InvalidFile, TooManyRows, type FileRow } from './file-errors.ts';
import { detectEncoding } from './reading/detect-encoding.ts';
import { headerRowOf, maxTitleLines } from './reading/find-headers.ts';
import { detectFormat, rowsOf, type FileFormat } from './read-file.ts';
import { stagingLine } from './staging-file.ts';

const sampleRows = 10;
const chunkCharacters = 256 * 1024;

export interface ReadableFile {
  format: FileFormat;
  /** How its text was read; null: a workbook. */
  encoding: TextEncoding | null;
  headers: string[];
  /** The first rows, with long cells cut. */
  sample: { row: number; cells: string[] }[];
  /** Rows without the headers. */
  count: number;
}
/** What a file of contacts has; `why`: why it can't be imported, as a sentence. */
export type ContactFile = ReadableFile | { why: string } | { tooMany: true };

/**
 * Reads a file of contacts into the staging file `into`, row by row. Runs in a thread
 * (`readContactFile`), where synchronous writes are fine. `encoding`: of its text; left out: guessed. Throws `InvalidFile`, with a sentence for
 * the user, when the file can't be read or holds no rows.
 */
export async function readContactFile({
  bytes,
  into: outputPath,
  encoding: chosen,
}: {
  bytes: Uint8Array;
  into: string;
  encoding?: TextEncoding;
}): Promise<ContactFile> {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const target = openSync(outputPath, 'wx', 0o600);
  try {
    const format = await detectFormat(content);
    const encoding = format === 'xlsx' ? null : (chosen ?? detectEncoding(content));
    const rows = rowsOf(content, format, encoding ?? undefined);
    const { head, below } = await readHead(rows);
    const headers = headersOf(head.cells);
    const sample: { row: number; cells: string[] }[] = [];
    let count = 0;
    let text = '';
    const write = () => {
      writeFileSync(target, text);
      text = '';
    };
    for await (const { row, cells, problem } of below) {
      const trimmed = cells.length > headers.length ? cells.slice(0, headers.length) : cells;
      if (++count <= sampleRows)
        sample.push({ row, cells: trimmed.map((cell) => cell.slice(0, 200)) });
      text += stagingLine({ row, cells: trimmed, problem });
      if (text.length > chunkCharacters) write();
    }
    if (count === 0) throw new InvalidFile('The file has headers but no rows.');
    write();
    return { format, encoding, headers, sample, count };
  } catch (error) {
    if (error instanceof InvalidFile) return { why: error.message };
    if (error instanceof TooManyRows) return { tooMany: true };
    throw error;
  } finally {
    closeSync(target);
  }
}

/** The row with the headers, and all rows below it. */
async function readHead(
  rows: AsyncGenerator<FileRow>,
): Promise<{ head: FileRow; below: AsyncGenerator<FileRow> }> {
  const first: FileRow[] = [];
  while (first.length <= maxTitleLines) {
    const next = await rows.next();
    if (next.done) break;
    first.push(next.value);
  }
  const at = headerRowOf(first.map(({ cells }) => cells));
  const head = first[at];
  if (!head) throw new InvalidFile('The file has no rows.');
  if (head.problem) throw new InvalidFile(`Row ${head.row}: ${head.problem}`);
  async function* below(): AsyncGenerator<FileRow> {
    yield* first.slice(at + 1);
    yield* rows;
  }
  return { head, below: below() };
}

/** Gives every column a name, and no two the same. */
function headersOf(cells: readonly string[]): string[] {
  const used = new Map<string, number>();
  return cells.map((cell, i) => {
    const name = cell.replace(/\s+/g, ' ').trim().slice(0, 120) || `Column ${columnLetters(i)}`;
    const n = (used.get(name.toLowerCase()) ?? 0) + 1;
    used.set(name.toLowerCase(), n);
    return n === 1 ? name : `${name} (${n})`;
  });
}
const columnLetters = (i: number): string =>
  (i >= 26 ? columnLetters(Math.floor(i / 26) - 1) : '') + String.fromCharCode(65 + (i % 26));
