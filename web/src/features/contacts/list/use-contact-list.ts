import { contacts } from '#contract';
import type { SortDirection } from '#contract/sort-direction';
import { isCapped, useApiQuery, useFilters, usePageSize } from '#ui';
import { pagedList } from '#ui/list/paged-list.ts';
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

/**
 * The contacts that match the filters in the URL. `asked`: the filters as the API takes them;
 * `isCapped`: more match than `total`.
 */
export function useContactList() {
  const filtering = useFilters(defaultContactFilters);
  const { filters, set } = filtering;
  const pageSize = usePageSize('contacts', 50, () => set({ page: 1 }));
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
  const page = { page: filters.page, perPage: pageSize.perPage };
  const query = useApiQuery(contacts.listContacts, {
    query: trash
      ? { withTrashed: 1, ...page }
      : { ...asked, sort: filters.sort, dir: filters.dir, ...page },
  });
  const list = pagedList(
    query,
    trash ? { ...filtering, filters: { page: filters.page } } : filtering,
    pageSize,
  );
  return {
    ...filtering,
    asked,
    trash,
    total: query.response?.meta.total ?? 0,
    isCapped: isCapped(query.response?.meta),
    /** What the `DataList` shows. Deleted contacts can't be sorted. */
    list,
  };
}
export type ContactList = ReturnType<typeof useContactList>;
