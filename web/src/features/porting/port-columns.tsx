import type { porting } from '#contract';
import { StatusBadge, t, Time, type Column } from '#ui';
import { dayName, portStatusName, portStatusTone, portTypeName } from './labels.ts';

type Row = porting.PortRow;

/** The first number of a port request, and how many more it has. */
export const numbersLabel = (row: Row): string =>
  `${row.numbers[0]?.formatted ?? ''}${row.numbers_count > 1 ? ` ${t('and {n} more', { n: row.numbers_count - 1 })}` : ''}`;

/** Columns of the list of port requests. */
export const portColumns = (): Column<Row>[] => [
  {
    key: 'numbers',
    title: t('Numbers'),
    width: 'minmax(170px, 1.4fr)',
    cell: (r) => <span className="tabular">{numbersLabel(r)}</span>,
  },
  {
    key: 'status',
    title: t('Status'),
    width: 'minmax(130px, 1.1fr)',
    sortable: true,
    cell: (r) =>
      r.alarm ? (
        <StatusBadge tone="danger">{t('Needs attention')}</StatusBadge>
      ) : (
        <StatusBadge tone={portStatusTone(r.status)}>{portStatusName(r.status)}</StatusBadge>
      ),
  },
  {
    key: 'type',
    title: t('Type'),
    width: '100px',
    wideOnly: true,
    cell: (r) => portTypeName(r.type),
  },
  {
    key: 'losing_carrier',
    title: t('From'),
    sortable: true,
    wideOnly: true,
    cell: (r) => r.losing_carrier || '–',
  },
  {
    key: 'requested_date',
    title: t('Date'),
    width: '120px',
    sortable: true,
    wideOnly: true,
    cell: (r) => <span className="tabular">{dayName(r.foc_date ?? r.requested_date)}</span>,
  },
  {
    key: 'updated_at',
    title: t('Changed'),
    width: '110px',
    sortable: true,
    wideOnly: true,
    cell: (r) => <Time at={r.updated_at} as="ago" />,
  },
];
