import { Table } from '@mantine/core';
import type { sourceReports } from '#contract';
import { formatDuration, formatMoney, formatNumber, formatPhoneNumber, t } from '#ui';
import { deviceName } from './device-name.ts';
import { groupName, type ReportPeriod } from './options.ts';
import css from './source-reports.module.css';

type Figures = sourceReports.ReportFigures;
interface FigureColumn {
  title: string;
  text: (figures: Figures) => string;
}

const columns = (): FigureColumn[] => [
  { title: t('Visits'), text: (f) => formatNumber(f.sessions) },
  { title: t('Forms'), text: (f) => formatNumber(f.forms) },
  { title: t('Calls'), text: (f) => formatNumber(f.calls) },
  {
    title: t('Calls per visit'),
    text: (f) => (f.call_rate === null ? '–' : t('{n}%', { n: formatNumber(f.call_rate) })),
  },
  { title: t('First-time callers'), text: (f) => formatNumber(f.first_time_callers) },
  { title: t('Answered'), text: (f) => formatNumber(f.answered) },
  { title: t('Missed'), text: (f) => formatNumber(f.missed) },
  { title: t('Qualified'), text: (f) => formatNumber(f.qualified) },
  { title: t('Leads'), text: (f) => formatNumber(f.leads) },
  { title: t('Average duration'), text: (f) => formatDuration(f.avg_duration) },
  { title: t('Value'), text: (f) => formatMoney(f.value_cents) },
];

/** The rows of a report with their totals; those of a source or number open its calls. */
export function ReportTable({
  group,
  period,
  isLinked,
  rows,
  totals,
}: {
  group: sourceReports.ReportGroup;
  /** Whether rows open calls: those of several companies are in no one list. */
  isLinked: boolean;
  period: ReportPeriod;
  rows: readonly sourceReports.ReportRow[];
  totals: Figures;
}) {
  const figures = columns();
  return (
    // It scrolls sideways on narrow screens, so keys must reach it.
    <div className={css.scroll} tabIndex={0} role="region" aria-label={t('Report')}>
      <Table className={css.table ?? ''} verticalSpacing={8} horizontalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{groupName(group)}</Table.Th>
            {figures.map(({ title }) => (
              <Table.Th key={title} className={css.figure ?? ''}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.key}>
              <Table.Th scope="row" className={css.name ?? ''}>
                <RowName row={row} group={group} period={period} isLinked={isLinked} />
              </Table.Th>
              {figures.map(({ title, text }) => (
                <Table.Td key={title} className={css.figure ?? ''}>
                  {text(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">{t('Total')}</Table.Th>
            {figures.map(({ title, text }) => (
              <Table.Td key={title} className={css.figure ?? ''}>
                {text(totals)}
              </Table.Td>
            ))}
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </div>
  );
}

function RowName({
  row: { key, label },
  group,
  period,
  isLinked,
}: {
  isLinked: boolean;
  row: sourceReports.ReportRow;
  group: sourceReports.ReportGroup;
  period: ReportPeriod;
}) {
  if (key === '(none)') return t('None');
  if (key === '(other)') return t('All others');
  if (group === 'device') return deviceName(label);
  if (group === 'number' && !isLinked) return formatPhoneNumber(label);
  if (!isLinked || (group !== 'number' && group !== 'source')) return label;
  const within = period === 'year' || period === 'custom' ? '' : `&period=${period}`;
  return (
    <a href={`/activity/calls?${group}=${key}&direction=inbound${within}`}>
      {group === 'number' ? formatPhoneNumber(label) : label}
    </a>
  );
}
