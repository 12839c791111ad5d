import { safeCell } from '../../../platform/export-files.ts';

/**
 * A cell that no spreadsheet takes for a formula, and that comes back as it was: the guard is an apostrophe, so text that has
 * one of its own before such a sign gets another (`unguarded` takes one away).
 */
export const guardedOnce = (cell: string): string =>
  /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell;
export const guarded = (cell: string): string => safeCell(guardedOnce(cell));
const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(guarded(cell))).join(',')}\r\n`;
/** Begins a file that spreadsheets read as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';
