import { Table } from '@mantine/core';
import type { CallGroup, CallTarget } from '#contract/analytics/call-analytics/rules';
import type { CallFigures, CallReportRow } from '#contract/analytics/call-analytics/schemas';
import { formatDuration, formatNumber, t } from '#ui';
import { formatFigure } from './format-figure.ts';
import { callGroupName, targetName } from './options.ts';
import css from './reports.module.css';
import { rowLabel } from './row-label.ts';

interface FigureColumn {
  title: string;
  target?: CallTarget;
  text: (figures: CallFigures) => string;
}
const ofTarget = (target: CallTarget): FigureColumn => ({
  title: targetName(target),
  target,
  text: (figures) => formatFigure(target, figures[target]),
});
const columns = (): FigureColumn[] => [
  ofTarget('calls'),
  { title: t('Answered'), text: (f) => formatNumber(f.answered) },
  { title: t('Missed'), text: (f) => formatNumber(f.missed) },
  { title: t('Voicemail'), text: (f) => formatNumber(f.voicemail) },
  ofTarget('answer_rate'),
  ofTarget('unique'),
  { title: t('First-time callers'), text: (f) => formatNumber(f.first_time) },
  ofTarget('qualified'),
  ofTarget('leads'),
  ofTarget('duration'),
  { title: t('Average talk'), text: (f) => formatDuration(f.avg_duration) },
  ofTarget('value'),
];

/** The rows of a report with their totals. The chosen figure is drawn beside the names. */
export function ReportTable({
  group,
  target,
  rows,
  totals,
  opens,
  limited = [],
}: {
  group: CallGroup;
  target: CallTarget;
  rows: readonly CallReportRow[];
  totals: CallFigures;
  /** The address of a row’s calls; null: no list shows just those. */
  opens: (key: string) => string | null;
  /** Companies of which only some numbers are counted. */
  limited?: readonly string[];
}) {
  const highest = rows.reduce((most, { value }) => Math.max(most, value ?? 0), 0);
  return (
    // It scrolls sideways on narrow screens, so keys must reach it.
    <div className={css.scroll} tabIndex={0} role="region" aria-label={t('Report')}>
      <Table className={css.table ?? ''} verticalSpacing={8} horizontalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{callGroupName(group)}</Table.Th>
            {columns().map((column) => (
              <Table.Th key={column.title} className={classOf(column, target)}>
                {column.title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.key}>
              <Table.Th scope="row" className={css.name ?? ''}>
                <RowName href={opens(row.key)}>{rowLabel(group, row.key, row.label)}</RowName>
                {group === 'company' && limited.includes(row.key) && (
                  <small className={css.quiet}>{t('Your numbers only')}</small>
                )}
                <span
                  className={css.bar}
                  style={{ inlineSize: `${highest ? ((row.value ?? 0) / highest) * 100 : 0}%` }}
                />
              </Table.Th>
              <Figures figures={row.figures} target={target} />
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">{t('All calls')}</Table.Th>
            <Figures figures={totals} target={target} />
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </div>
  );
}

const classOf = (column: FigureColumn, target: CallTarget): string =>
  `${css.figure} ${column.target === target ? css.chosen : ''}`;

const Figures = ({ figures, target }: { figures: CallFigures; target: CallTarget }) =>
  columns().map((column) => (
    <Table.Td key={column.title} className={classOf(column, target)}>
      {column.text(figures)}
    </Table.Td>
  ));

const RowName = ({ href, children }: { href: string | null; children: string }) =>
  href === null ? children : <a href={href}>{children}</a>;
