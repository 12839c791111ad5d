/**
 * A row of a file. `row` counts from 1 as spreadsheets do: the first row under the headers is 2.
 */
export interface FileRow {
  row: number;
  cells: string[];
  /** What is wrong with the row as a whole, in a sentence. */
  problem?: string | undefined;
}
/** The file can't be imported; the message is the sentence that the user sees. */
export class InvalidFile extends Error {}
/** The file has more than `maxRows` rows. */
export class TooManyRows extends Error {}
