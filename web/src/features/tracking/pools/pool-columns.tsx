import type { tracking } from '#contract';
import { formatNumber, StatusBadge, t, Time, type Column } from '#ui';
import { poolStatusName, poolStatusTone } from './labels.ts';
import { UseBar } from './UseBar.tsx';

/** The columns of the list of pools. */
export const poolColumns = (): Column<tracking.PoolRow>[] => [
  {
    key: 'name',
    title: t('Pool'),
    width: 'minmax(140px, 1.4fr)',
    sortable: true,
    cell: (pool) => pool.name,
  },
  {
    key: 'status',
    title: t('Status'),
    width: '110px',
    wideOnly: true,
    cell: ({ status }) => (
      <StatusBadge tone={poolStatusTone(status)}>{poolStatusName(status)}</StatusBadge>
    ),
  },
  {
    key: 'use',
    title: t('Numbers in use'),
    width: 'minmax(140px, 1fr)',
    cell: (pool) => <UseBar pool={pool} />,
  },
  {
    key: 'recommended',
    title: t('Recommended size'),
    width: '140px',
    align: 'end',
    wideOnly: true,
    cell: ({ stats, mode }) => (mode === 'visitor' ? formatNumber(stats.recommendedSize) : '–'),
  },
  {
    key: 'domains',
    title: t('Websites'),
    wideOnly: true,
    cell: ({ domains }) => domains.join(', ') || '–',
  },
  {
    key: 'lastSwapAt',
    title: t('Last visitor'),
    width: '120px',
    wideOnly: true,
    cell: ({ lastSwapAt }) => (lastSwapAt ? <Time at={lastSwapAt} as="ago" /> : t('None yet')),
  },
];
