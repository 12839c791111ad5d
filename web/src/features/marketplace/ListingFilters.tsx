import { SegmentedControl, Select } from '@mantine/core';
import { marketplace } from '#contract';
import { FilterBar, SearchField, t } from '#ui';
import { itemStatusName, tierName } from './labels.ts';
import type { ListingsState } from './use-listings.ts';

const isStatus = (text: string): boolean =>
  marketplace.marketplaceStatuses.some((status) => status === text);

/** Filters of the marketplace, and the switch between own and available numbers. */
export function ListingFilters({ listings }: { listings: ListingsState }) {
  const { filters, set, isFiltered, clear, own } = listings;
  return (
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
      {own && <StatusFilter value={filters.status} onChange={(status) => set({ status })} />}
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
  );
}

function StatusFilter({ value, onChange }: { value: string; onChange: (status: string) => void }) {
  return (
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
      value={isStatus(value) ? value : null}
      onChange={(status) => onChange(status ?? '')}
    />
  );
}
