import { createHash } from 'node:crypto';
import type { ReportFigures, ReportRow } from '#contract/analytics/source-reports/schemas';
import { quoteCsv, safeCell } from '#contract/csv';

const columns = [
  'sessions',
  'calls',
  'first_time_callers',
  'answered',
  'missed',
  'qualified',
  'leads',
  'avg_duration',
  'value_cents',
  'call_rate',
  'forms',
] as const satisfies readonly (keyof ReportFigures)[];

/**
 * A report as CSV: a row for each, then one whose first two cells are `(total)`. Keys and labels come
 * from visitors, so what a spreadsheet would take for a formula gets an apostrophe.
 */
export function reportCsv(rows: readonly ReportRow[], totals: ReportFigures): string {
  const line = (key: string, label: string, figures: ReportFigures) =>
    [
      ...[key, label].map((text) => quoteCsv(safeCell(text))),
      ...columns.map((column) => String(figures[column] ?? '')),
    ].join(',');
  return [
    ['key', 'label', ...columns].join(','),
    ...rows.map((row) => line(row.key, row.label, row)),
    line('(total)', '(total)', totals),
    '',
  ].join('\r\n');
}

/** SHA-256 of the bytes of a report's file, in hexadecimal. */
export const checksumOf = (csv: string): string => createHash('sha256').update(csv).digest('hex');
