import { SegmentedControl } from '@mantine/core';
import { marketplace } from '#contract';
import { FilterBar, SearchField, t } from '#ui';
import { FilterSelect } from '#ui/list/FilterSelect.tsx';
import { itemStatusName, tierName } from './labels.ts';
import type { ListingsState } from './use-listings.ts';

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
      {own && (
        <FilterSelect
          label={t('Status')}
          any={t('Any status')}
          value={filters.status}
          options={marketplace.marketplaceStatuses.map((one) => [one, itemStatusName(one)])}
          onChange={(status) => set({ status })}
        />
      )}
      <FilterSelect
        label={t('Tier')}
        any={t('Any tier')}
        w={130}
        value={filters.tier}
        options={marketplace.marketplaceTiers.map((tier) => [tier, tierName(tier)])}
        onChange={(tier) => set({ tier })}
      />
      <FilterSelect
        label={t('Type')}
        any={t('Any type')}
        w={130}
        value={filters.category}
        options={[
          ['toll_free', t('Toll-free')],
          ['local', t('Local')],
        ]}
        onChange={(category) => set({ category })}
      />
    </FilterBar>
  );
}
