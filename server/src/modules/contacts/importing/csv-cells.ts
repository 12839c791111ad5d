import { quoteCsv, safeCell } from '#contract/csv';

/**
 * Formulas are guarded by an apostrophe (`safeCell`). Text that already has one before such a
 * character gets a second here, so that `unguardFormula` in `read-csv.ts` restores it.
 */
export const escapeGuard = (cell: string): string =>
  /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell;
/** A cell that no spreadsheet runs as a formula and that an import reads back unchanged. */
export const guardFormula = (cell: string): string => safeCell(escapeGuard(cell));
/** A line of CSV with its line end (CRLF). */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoteCsv(guardFormula(cell))).join(',')}\r\n`;
/** At the start of a file: spreadsheets then read it as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';
