import { createHash } from 'node:crypto';
import { callReportColumns, type CallReportColumn } from '#contract/analytics/call-analytics/rules';
import { quoteCsv, safeCell } from '#contract/csv';
import type { ExportColumn } from '../../../platform/export-formats.ts';
import type { ShownRow } from './present.ts';

const titles: Record<CallReportColumn, string> = {
  key: 'Key',
  label: 'Name',
  calls: 'Calls',
  answered: 'Answered',
  missed: 'Missed',
  voicemail: 'Voicemail',
  blocked: 'Blocked',
  answer_rate: 'Answer rate (%)',
  unique: 'Unique callers',
  first_time: 'First-time callers',
  duration: 'Talk (s)',
  avg_duration: 'Average talk (s)',
  avg_ring: 'Average ring (s)',
  qualified: 'Qualified',
  leads: 'Leads',
  value: 'Value',
  sunday: 'Sunday',
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  over_30: 'Over 30 s',
  over_90: 'Over 90 s',
  over_120: 'Over 120 s',
  over_300: 'Over 300 s',
};

const cellOf = (column: CallReportColumn, { row, sums }: ShownRow): string | number | null => {
  if (column === 'key' || column === 'label') return row[column];
  // Dollars: spreadsheets add up what they read.
  if (column === 'value') return (row.figures.value / 100).toFixed(2);
  if (column in row.figures) return row.figures[column as keyof typeof row.figures];
  return Math.round((sums[column as keyof typeof sums] ?? 0) * 10) / 10;
};

/** Columns of a file, in this order. */
export const fileColumns = (columns: readonly CallReportColumn[]): ExportColumn<ShownRow>[] =>
  columns.map((key) => ({ key, title: titles[key], cell: (row) => cellOf(key, row) }));

const basic = callReportColumns.slice(0, callReportColumns.indexOf('sunday'));

/** SHA-256 over all rows and their figures: of what a file with the first 16 columns says. */
export function checksumOf(rows: readonly ShownRow[]): string {
  const hash = createHash('sha256');
  const line = (cells: readonly unknown[]) =>
    hash.update(`${cells.map((cell) => quoteCsv(safeCell(String(cell ?? '')))).join(',')}\r\n`);
  line(basic.map((key) => titles[key]));
  for (const row of rows) line(basic.map((key) => cellOf(key, row)));
  return hash.digest('hex');
}
