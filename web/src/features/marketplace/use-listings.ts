import { marketplace } from '#contract';
import { useApiQuery, useFilters, usePageSize } from '#ui';

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

/** Filters of the marketplace, and the numbers of the shown view: the company's own or the market. */
export function useListings() {
  const { filters, set, isFiltered, clear } = useFilters(defaultFilters, ['view']);
  const pageSize = usePageSize('marketplace', 25, () => set({ page: 1 }));
  const own = filters.view !== 'market';
  const query = {
    page: filters.page,
    perPage: pageSize.perPage,
    ...(filters.sort ? { sort: filters.sort, dir: filters.dir } : {}),
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
  return { filters, set, clear, isFiltered, own, mine, market, pageSize };
}
export type ListingsState = ReturnType<typeof useListings>;
