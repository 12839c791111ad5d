/** One row as it stands in the file; `row` counts from 1 as spreadsheets do, so the first row under the headers is 2. */
export interface FileRow {
  row: number;
  cells: string[];
  /** What is wrong with the row as a whole, in a sentence. */ problem?: string | undefined;
}
/** The file cannot be taken; the message says what is wrong with it, in a sentence. */
export class InvalidFile extends Error {}
export class TooManyRows extends Error {}
