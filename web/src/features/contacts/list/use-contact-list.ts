import { contacts } from '#contract';
import type { SortDirection } from '#contract/sort-direction';
import { useApiQuery, useFilters, usePageSize } from '#ui';
import { parseFieldFilters } from '../../fields/index.ts';

export const defaultContactFilters = {
  search: '',
  groupId: '',
  labelId: '',
  state: '',
  source: '',
  type: '',
  eav: '',
  deleted: '',
  page: 1,
  sort: 'addedAt',
  dir: 'desc' as SortDirection,
};

/** The contacts that match the filters in the URL. `asked`: the filters as the API takes them. */
export function useContactList() {
  const { filters, set, clear, isFiltered } = useFilters(defaultContactFilters);
  const { perPage, onPerPage } = usePageSize('contacts', 50, () => set({ page: 1 }));
  const asked = Object.fromEntries(
    Object.entries({
      search: filters.search,
      groupId: Number(filters.groupId) || '',
      labelId: Number(filters.labelId) || '',
      state: filters.state,
      source: filters.source,
      type: filters.type,
      eav: filters.eav ? parseFieldFilters(filters.eav) : '',
    }).filter(([, value]) => value !== ''),
  );
  const trash = filters.deleted === '1';
  const query = trash
    ? { withTrashed: 1, page: filters.page, perPage }
    : { ...asked, sort: filters.sort, dir: filters.dir, page: filters.page, perPage };
  const { response, error, loading, refetch } = useApiQuery(contacts.listContacts, {
    query,
  });
  return {
    filters,
    set,
    clear,
    isFiltered,
    perPage,
    onPerPage,
    asked,
    trash,
    response,
    error,
    loading,
    refetch,
  };
}
