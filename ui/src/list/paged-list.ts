import type { SortDirection } from '#contract/sort-direction';
import type { PageMeta, PagingProps, Sort, useApiQuery } from '#ui';

/** A read of one page of rows. */
export type PagedQuery<R> = Pick<
  ReturnType<typeof useApiQuery>,
  'error' | 'loading' | 'refetch'
> & {
  response: { data: readonly R[]; meta: PageMeta } | undefined;
};
interface PageAndSort {
  page: number;
  sort?: string;
  dir?: SortDirection;
}

interface ListProps<R> extends Omit<PagedQuery<R>, 'response'> {
  rows: readonly R[] | undefined;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  paging: PagingProps;
}

/**
 * The rows, sorting and paging of a `DataList` whose page, and sorting if it has one, are filters in
 * the URL.
 */
export const pagedList = <R>(
  { response, error, loading, refetch }: PagedQuery<R>,
  { filters, set }: { filters: PageAndSort; set: (change: Partial<PageAndSort>) => void },
  pageSize: Pick<PagingProps, 'perPage' | 'onPerPage'>,
): ListProps<R> => ({
  rows: response?.data,
  loading,
  error,
  refetch,
  ...(filters.sort !== undefined &&
    filters.dir !== undefined && {
      sort: { field: filters.sort, dir: filters.dir },
      onSort: (sort: Sort) => set({ sort: sort.field, dir: sort.dir }),
    }),
  paging: {
    ...pageSize,
    page: filters.page,
    meta: response?.meta,
    onPage: (page: number) => set({ page }),
  },
});
