import { stringify } from 'csv-stringify/sync';
import { safeCell } from '#contract/csv';

/** Rows as CSV, with a byte-order mark so that spreadsheets read UTF-8. */
export const toCsv = (head: readonly string[], rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(
    `\uFEFF${stringify(
      [head, ...rows].map((row) => row.map(safeCell)),
      { record_delimiter: 'windows' },
    )}`,
  );
