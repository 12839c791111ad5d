import { useState } from 'react';
import { Button, Group, SegmentedControl, Select } from '@mantine/core';
import { IconDownload, IconStars } from '@tabler/icons-react';
import { marketplace } from '#contract';
import {
  type Column,
  DataList,
  EmptyState,
  FilterBar,
  formatNumber,
  lazyComponent,
  Page,
  SearchField,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePermission,
} from '#ui';
import { KpiStrip } from '../marketplace/KpiStrip.tsx';
import { itemStatusName, itemStatusTone, priceLabel, tierName } from '../marketplace/labels.ts';
import { NumbersTabs } from '../NumbersTabs.tsx';

const ListOwnDialog = lazyComponent(
  async () => (await import('../marketplace/ListOwnDialog.tsx')).ListOwnDialog,
);

type OwnListings = marketplace.MarketplaceNumber;
type PublicListings = marketplace.PublicListing;
const defaultFilters = {
  view: 'own',
  search: '',
  status: '',
  tier: '',
  category: '',
  page: 1,
  sort: '',
  dir: 'desc',
};
const perPage = 25;

/**
 * The marketplace: vanity numbers that the company offers, and those of other companies that it can
 * lease.
 */
export default function Marketplace() {
  const { filters, set } = useFilters(defaultFilters);
  const own = filters.view !== 'market';
  const mayEdit = usePermission('marketplace.edit');
  const companyId = useCompanyId();
  const [adding, setAdding] = useState(false);
  const isFiltered = Boolean(filters.search || filters.status || filters.tier || filters.category);
  const clear = (): void => set({ search: '', status: '', tier: '', category: '' });
  const query = {
    page: filters.page,
    perPage,
    ...(filters.sort ? { sort: filters.sort, dir: filters.dir as 'asc' } : {}),
    search: filters.search || null,
    tier: filters.tier || null,
    category: filters.category || null,
  };
  const mine = useApiQuery(
    marketplace.listMarketplaceNumbers,
    { query: { ...query, status: filters.status || null } },
    { enabled: own },
  );
  const market = useApiQuery(marketplace.listListings, { query }, { enabled: !own });
  const what = (r: { vanity_text: string | null; formatted: string }) =>
    r.vanity_text ? (
      <span>
        <strong>{r.vanity_text}</strong>{' '}
        <span style={{ color: 'var(--tl-quiet)' }} className="tabular">
          {r.formatted}
        </span>
      </span>
    ) : (
      <span className="tabular">{r.formatted}</span>
    );
  const shared = [
    {
      key: 'number',
      title: t('Number'),
      width: 'minmax(120px, 1.6fr)',
      sortable: true,
      cell: what,
    },
    {
      key: 'price',
      title: t('Price'),
      width: 'minmax(92px, 1fr)',
      sortable: true,
      cell: (r: { pricing: PublicListings['pricing'] }) => priceLabel(r.pricing),
    },
    {
      key: 'tier',
      title: t('Tier'),
      width: '110px',
      wideOnly: true,
      cell: (r: { tier: string }) => tierName(r.tier),
    },
  ];
  const listedAt = {
    key: 'listed_at',
    title: t('Listed'),
    width: '120px',
    sortable: true,
    wideOnly: true,
    cell: (r: { listed_at: string | null }) =>
      r.listed_at ? <Time at={r.listed_at} as="ago" /> : '–',
  };
  const ownColumns: Column<OwnListings>[] = [
    ...shared,
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
    listedAt,
  ];
  const marketColumns: Column<PublicListings>[] = [
    ...shared,
    {
      key: 'industries',
      title: t('Used for'),
      wideOnly: true,
      cell: (r) => r.industries.join(', '),
    },
    listedAt,
  ];
  const tools = {
    sort: { field: filters.sort, dir: filters.dir as 'asc' | 'desc' },
    onSort: (sort: { field: string; dir: string }) => set({ sort: sort.field, dir: sort.dir }),
  };
  const nothing = isFiltered ? (
    <EmptyState
      icon={<IconStars size={28} stroke={1.5} />}
      title={t('No numbers match these filters')}
      action={
        <Button variant="default" onClick={clear}>
          {t('Clear filters')}
        </Button>
      }
    >
      {t('Try another search or clear the filters.')}
    </EmptyState>
  ) : (
    <EmptyState
      icon={<IconStars size={28} stroke={1.5} />}
      title={own ? t('Nothing listed yet') : t('No numbers available')}
      action={
        own && mayEdit ? (
          <Button onClick={() => setAdding(true)}>{t('List a number')}</Button>
        ) : undefined
      }
    >
      {own
        ? t('Numbers that spell a word can earn a lease. List one of yours.')
        : t('Numbers that companies list appear here.')}
    </EmptyState>
  );
  return (
    <Page
      title={t('Marketplace')}
      layout="fill"
      description={t('Numbers that spell something, for lease or assignment of service.')}
      action={
        own && (
          <Group gap="xs">
            <Button
              component="a"
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              href={`/api/marketplace-numbers/report?companyId=${companyId}`}
              download
            >
              {t('CSV')}
            </Button>
            {mayEdit && <Button onClick={() => setAdding(true)}>{t('List a number')}</Button>}
          </Group>
        )
      }
      filters={
        <>
          <NumbersTabs />
          <FilterBar
            isFiltered={isFiltered}
            onClear={clear}
            right={
              <SegmentedControl
                aria-label={t('Marketplace view')}
                value={own ? 'own' : 'market'}
                onChange={(view) => set({ view, status: '', sort: '' })}
                data={[
                  { value: 'own', label: t('Yours') },
                  { value: 'market', label: t('Available') },
                ]}
              />
            }
          >
            <SearchField
              label={t('Search the marketplace')}
              placeholder={t('Word or number')}
              value={filters.search}
              onChange={(search) => set({ search })}
            />
            {own && (
              <Select
                aria-label={t('Status')}
                placeholder={t('Any status')}
                w={160}
                clearable
                clearButtonProps={{ 'aria-label': t('Any status') }}
                data={marketplace.marketplaceStatuses.map((s) => ({
                  value: s,
                  label: itemStatusName(s),
                }))}
                value={
                  marketplace.marketplaceStatuses.includes(filters.status as OwnListings['status'])
                    ? filters.status
                    : null
                }
                onChange={(status) => set({ status: status ?? '' })}
              />
            )}
            <Select
              aria-label={t('Tier')}
              placeholder={t('Any tier')}
              w={130}
              clearable
              clearButtonProps={{ 'aria-label': t('Any tier') }}
              data={marketplace.marketplaceTiers.map((x) => ({ value: x, label: tierName(x) }))}
              value={filters.tier || null}
              onChange={(tier) => set({ tier: tier ?? '' })}
            />
            <Select
              aria-label={t('Type')}
              placeholder={t('Any type')}
              w={130}
              clearable
              clearButtonProps={{ 'aria-label': t('Any type') }}
              data={[
                { value: 'toll_free', label: t('Toll-free') },
                { value: 'local', label: t('Local') },
              ]}
              value={filters.category || null}
              onChange={(category) => set({ category: category ?? '' })}
            />
          </FilterBar>
        </>
      }
    >
      {own && <KpiStrip status={filters.status} onPick={(status) => set({ status })} />}
      {own ? (
        <DataList
          label={t('Your marketplace numbers')}
          rows={mine.response?.data}
          loading={mine.loading}
          error={mine.error}
          refetch={mine.refetch}
          rowKey={(r) => r.id}
          rowLabel={(r) => r.vanity_text ?? r.formatted}
          href={(r) => `/marketplace/${r.id}`}
          columns={ownColumns}
          emphasized={(r) => r.status === 'under_offer'}
          {...tools}
          paging={{
            page: filters.page,
            perPage,
            meta: mine.response?.meta,
            onPage: (page) => set({ page }),
          }}
          empty={nothing}
        />
      ) : (
        <DataList
          label={t('Available numbers')}
          rows={market.response?.data}
          loading={market.loading}
          error={market.error}
          refetch={market.refetch}
          rowKey={(r) => r.id}
          rowLabel={(r) => r.vanity_text ?? r.formatted}
          href={(r) => `/marketplace/${r.id}`}
          columns={marketColumns}
          {...tools}
          paging={{
            page: filters.page,
            perPage,
            meta: market.response?.meta,
            onPage: (page) => set({ page }),
          }}
          empty={nothing}
        />
      )}
      {adding && <ListOwnDialog close={() => setAdding(false)} />}
    </Page>
  );
}
