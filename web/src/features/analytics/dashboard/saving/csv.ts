import type { CallGroup } from '#contract/analytics/call-analytics/rules';
import { quoteCsv, safeCell } from '#contract/csv';
import { t } from '#ui';
import type { PrintedFacts } from '../../../../shared/printing/PrintFacts.tsx';
import { rowLabel } from '../../reports/row-label.ts';
import { savedCompanyRows } from '../company-rows.ts';
import type { Board, BoardRow } from '../use-dashboard.ts';
import type { Collected } from './collect.ts';

type Rows = Pick<Board, 'data'> & { previous: { data: readonly BoardRow[] } | null };

const figures = () => [
  { name: 'answered', title: t('Answered') },
  { name: 'missed', title: t('Missed') },
  { name: 'voicemail', title: t('Voicemail') },
  { name: 'answer_rate', title: t('Answer rate') },
  { name: 'first_time', title: t('First-time callers') },
  { name: 'qualified', title: t('Qualified') },
  { name: 'leads', title: t('Leads') },
  { name: 'duration', title: t('Seconds of talk') },
];

/**
 * The dashboard as one table, a line for each row of each part: all rows, also those that the page has
 * no room for, and those that only the compared days have. Every line names its part and days, so that
 * a spreadsheet can filter and pivot it.
 */
export function dashboardCsv(
  found: Collected,
  days: { start: string; end: string },
  { of, limits }: PrintedFacts,
): string {
  const head = [
    ...[t('Company'), t('From'), t('To'), t('Limited to'), t('Part'), t('Row')],
    ...[t('Calls'), t('Calls before')],
    ...figures().map(({ title }) => title),
  ];
  const lines = rowsOfParts(found).map(({ part, name, values, before }) => [
    ...[of, days.start, days.end, limits.join('; '), part, name],
    ...[values['calls'] ?? 0, before],
    ...figures().map((figure) => values[figure.name] ?? null),
  ]);
  // The byte-order mark makes spreadsheets read UTF-8.
  return `\uFEFF${[head, ...lines].map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('')}`;
}

/** Only text can be a formula; numbers are ours. */
const cellText = (cell: string | number | null): string =>
  typeof cell === 'string' ? quoteCsv(safeCell(cell)) : String(cell ?? '');

interface Line {
  part: string;
  name: string;
  values: BoardRow['values'];
  /** null: nothing to compare with. */
  before: number | null;
}

function rowsOfParts({ byTime, timeGroup, heat, lists, states, companies }: Collected): Line[] {
  const byState = states.data.map(({ key, label, figures: values }) => ({ key, label, values }));
  return [
    {
      part: t('All calls'),
      name: t('All calls'),
      values: byTime.totals,
      before: byTime.previous && (byTime.previous.totals['calls'] ?? 0),
    },
    // The rows of the compared days are other days: nothing to set these against.
    ...linesOf(timeGroup === 'day' ? t('Day') : t('Hour'), timeGroup, {
      data: byTime.data,
      previous: null,
    }),
    ...heat.data.flatMap(({ key, values }) =>
      Object.entries(values)
        .toSorted()
        .map(([hour, calls]) => ({
          part: t('Busiest hours'),
          name: `${rowLabel('weekday', key, key)} ${hour}:00`,
          values: { calls },
          before: null,
        })),
    ),
    ...(companies
      ? linesOf(t('By company'), 'company', {
          data: savedCompanyRows(companies),
          previous: companies.previous,
        })
      : []),
    ...lists.flatMap(({ part, board }) => linesOf(part.title, part.group, board)),
    ...linesOf(t('Where callers are'), 'geo_state', { data: byState, previous: null }),
  ];
}

function linesOf(part: string, group: CallGroup, { data, previous }: Rows): Line[] {
  const before = previous && new Map(previous.data.map((row) => [row.key, row]));
  const now = new Set(data.map(({ key }) => key));
  const vanished = (previous?.data ?? []).filter(({ key }) => !now.has(key));
  return [...data, ...vanished.map((row) => ({ ...row, values: {} }))].map((row) => ({
    part,
    name: group === 'day' ? row.key : rowLabel(group, row.key, row.label),
    values: row.values,
    before: before && (before.get(row.key)?.values['calls'] ?? 0),
  }));
}
