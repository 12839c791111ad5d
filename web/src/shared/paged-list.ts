import type { SortDirection } from '#contract/sort-direction';
import type { PageMeta, PagingProps, Sort, useApiQuery } from '#ui';

type Query<R> = Pick<ReturnType<typeof useApiQuery>, 'error' | 'loading' | 'refetch'> & {
  response: { data: readonly R[]; meta: PageMeta } | undefined;
};
interface PageAndSort {
  page: number;
  sort: string;
  dir: SortDirection;
}

/** The rows, sorting and paging of a `DataList` whose page and sorting are filters in the URL. */
export const pagedList = <R>(
  { response, error, loading, refetch }: Query<R>,
  { filters, set }: { filters: PageAndSort; set: (change: Partial<PageAndSort>) => void },
  pageSize: Pick<PagingProps, 'perPage' | 'onPerPage'>,
) => ({
  rows: response?.data,
  loading,
  error,
  refetch,
  sort: { field: filters.sort, dir: filters.dir },
  onSort: (sort: Sort) => set({ sort: sort.field, dir: sort.dir }),
  paging: {
    ...pageSize,
    page: filters.page,
    meta: response?.meta,
    onPage: (page: number) => set({ page }),
  },
});
