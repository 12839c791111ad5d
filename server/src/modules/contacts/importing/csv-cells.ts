import { safeCell } from '../../../platform/export-formats.ts';

/**
 * A cell that no spreadsheet takes for a formula, and that comes back as it was: the guard is an apostrophe, so text that has
 * one of its own before such a sign gets another (`unguarded` takes one away).
 */
export const escapeGuard = (cell: string): string =>
  /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell;
export const guardFormula = (cell: string): string => safeCell(escapeGuard(cell));
const quoteCell = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoteCell(guardFormula(cell))).join(',')}\r\n`;
/** Begins a file that spreadsheets read as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';
