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
  const { filters, set } = useFilters(defaultFilters);
  const { perPage, onPerPage } = usePageSize('marketplace', 25, () => set({ page: 1 }));
  const own = filters.view !== 'market';
  const isFiltered = Boolean(filters.search || filters.status || filters.tier || filters.category);
  const clear = (): void => set({ search: '', status: '', tier: '', category: '' });
  const query = {
    page: filters.page,
    perPage,
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
  return { filters, set, clear, isFiltered, own, mine, market, perPage, onPerPage };
}
export type ListingsState = ReturnType<typeof useListings>;
