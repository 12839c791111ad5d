import { maxBytes, maxColumns, maxRows } from '#contract/contacts/importing/rules';
import type { TextEncoding } from '#contract/contacts/importing/encodings';
import { InvalidFile, TooManyRows, type FileRow } from './file-errors.ts';
import { detectEncoding } from './reading/detect-encoding.ts';
import { csvRows } from './read-csv.ts';
import { workbookProblem } from './check-zip-bomb.ts';
import { workbookRows } from './read-workbook.ts';

export type FileFormat = 'csv' | 'xlsx';

/** More than any field accepts. Longer cells are cut here, to bound memory. */
const maxCellCharacters = 20_000;

/** The format by the file's first bytes. Throws InvalidFile with what to do instead. */
export async function detectFormat(bytes: Buffer): Promise<FileFormat> {
  if (bytes.length > maxBytes)
    throw new InvalidFile(
      `The file is larger than ${maxBytes / 1024 / 1024} MB. Split it into several files.`,
    );
  if (bytes.length === 0) throw new InvalidFile('The file is empty.');
  const magic = bytes.subarray(0, 8).toString('latin1');
  if (magic.startsWith('PK\u0003\u0004') || magic.startsWith('PK\u0005\u0006')) {
    const why = await workbookProblem(bytes);
    if (why) throw new InvalidFile(why);
    return 'xlsx';
  }
  const known = [
    ['%PDF', 'a PDF'],
    [
      '\u00D0\u00CF\u0011\u00E0',
      'an old or password-protected Excel file. Save it as XLSX without a password',
    ],
    ['\u0089PNG', 'a picture'],
    ['\u00FF\u00D8\u00FF', 'a picture'],
    ['GIF8', 'a picture'],
    ['\u001F\u008B', 'a compressed file. Unpack it first'],
    ['Rar!', 'a compressed file. Unpack it first'],
    ['7z\u00BC\u00AF', 'a compressed file. Unpack it first'],
    ['\u007FELF', 'a program'],
    ['MZ\u0090', 'a program'],
    ['SQLite f', 'a database'],
  ] as const;
  for (const [start, what] of known)
    if (magic.startsWith(start)) throw new InvalidFile(`This is ${what}.`);
  return 'csv';
}

/**
 * The rows of a file, headers first. Empty rows are left out but counted in `row`. Cells are trimmed,
 * without zero characters and broken surrogates. `encoding`: of a text file; left out: it is guessed.
 * Throws TooManyRows and InvalidFile.
 */
export async function* rowsOf(
  bytes: Buffer,
  format: FileFormat,
  encoding?: TextEncoding,
): AsyncGenerator<FileRow> {
  let n = 0;
  const rows =
    format === 'xlsx' ? workbookRows(bytes) : csvRows(bytes, encoding ?? detectEncoding(bytes));
  for await (const { row, cells: read, problem } of rows) {
    const cells = (read.length > maxColumns ? read.slice(0, maxColumns) : read).map(cleanCell);
    if (cells.every((cell) => cell === '')) continue;
    if (n > maxRows) throw new TooManyRows();
    n++;
    yield { row, cells, problem };
  }
}

const loneSurrogate = /[\uD800-\uDFFF]/;
const cleanCell = (cell: string): string => {
  if (cell === '') return cell;
  const cut = (cell.length > maxCellCharacters ? cell.slice(0, maxCellCharacters) : cell).trim();
  return cut.includes('\u0000') || loneSurrogate.test(cut)
    ? Buffer.from(cut.replaceAll('\u0000', '')).toString()
    : cut;
};
