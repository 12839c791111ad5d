import { InvalidFile, type FileRow } from './file-errors.ts';

/** A cell as text. A formula has the value it had when the file was saved (A11). */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  // Midnight means a date without a time.
  if (value instanceof Date) {
    const iso = Number.isNaN(value.getTime()) ? '' : value.toISOString();
    return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso;
  }
  if (typeof value === 'number')
    return Number.isInteger(value) ? BigInt(value).toString() : String(value);
  return String(value as boolean | bigint);
}

/** The rows of the first sheet. Throws InvalidFile when the workbook can't be read. */
export async function* workbookRows(bytes: Buffer): AsyncGenerator<FileRow> {
  const { streamXlsxRows } = await import('hucre/xlsx'); // loaded by the first workbook
  try {
    for await (const { index, values } of streamXlsxRows(bytes))
      yield { row: index + 1, cells: values.map(cellText) };
  } catch (error) {
    if (error instanceof InvalidFile) throw error;
    throw new InvalidFile('The workbook can’t be read. Save it again, or save it as CSV.');
  }
}
