import type { marketplace } from '#contract';
import { formatNumber, StatusBadge, t, Time, type Column } from '#ui';
import { industryLabel } from '../settings/index.ts';
import { itemStatusName, itemStatusTone, priceLabel, tierName } from './labels.ts';

type OwnListing = marketplace.MarketplaceNumber;
type PublicListing = marketplace.PublicListing;

function NumberName({ row: r }: { row: { vanity_text: string | null; formatted: string } }) {
  return r.vanity_text ? (
    <span>
      <strong>{r.vanity_text}</strong>{' '}
      <span style={{ color: 'var(--tl-quiet)' }} className="tabular">
        {r.formatted}
      </span>
    </span>
  ) : (
    <span className="tabular">{r.formatted}</span>
  );
}

const sharedColumns = () => [
  {
    key: 'number',
    title: t('Number'),
    width: 'minmax(120px, 1.6fr)',
    sortable: true,
    cell: (r: { vanity_text: string | null; formatted: string }) => <NumberName row={r} />,
  },
  {
    key: 'price',
    title: t('Price'),
    width: 'minmax(92px, 1fr)',
    sortable: true,
    cell: (r: { pricing: PublicListing['pricing'] }) => priceLabel(r.pricing),
  },
  {
    key: 'tier',
    title: t('Tier'),
    width: '110px',
    wideOnly: true,
    cell: (r: { tier: string }) => tierName(r.tier),
  },
];

const listedColumn = () => ({
  key: 'listed_at',
  title: t('Listed'),
  width: '120px',
  sortable: true,
  wideOnly: true,
  cell: (r: { listed_at: string | null }) =>
    r.listed_at ? <Time at={r.listed_at} as="ago" /> : '–',
});

/** Columns of the numbers that the company offers. */
export const ownColumns = (): Column<OwnListing>[] => [
  ...sharedColumns(),
  {
    key: 'status',
    title: t('Status'),
    width: 'minmax(100px, 1fr)',
    sortable: true,
    cell: (r) => (
      <StatusBadge tone={itemStatusTone(r.status)}>{itemStatusName(r.status)}</StatusBadge>
    ),
  },
  {
    key: 'views',
    title: t('Views'),
    width: '80px',
    align: 'end',
    sortable: true,
    wideOnly: true,
    cell: (r) => formatNumber(r.views),
  },
  {
    key: 'offers',
    title: t('Offers'),
    width: '80px',
    align: 'end',
    wideOnly: true,
    cell: (r) => formatNumber(r.offers_count),
  },
  listedColumn(),
];

/** Columns of the numbers that other companies offer. */
export const marketColumns = (): Column<PublicListing>[] => [
  ...sharedColumns(),
  {
    key: 'industries',
    title: t('Used for'),
    wideOnly: true,
    cell: (r) => r.industries.map(industryLabel).join(', '),
  },
  listedColumn(),
];
