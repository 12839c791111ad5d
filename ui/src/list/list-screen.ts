import type { Answer } from '#contract';
import type { AnyEndpoint } from '#contract/kit';
import { useApiQuery, useFilters, usePageSize, type ApiInput, type FilterValue } from '#ui';
import { pagedList, type PagedQuery } from './paged-list.ts';

type RowOf<A> = A extends { data: readonly (infer R)[] } ? R : never;
type Filters = Record<string, FilterValue> & { page: number };
type Values<F extends Filters> = ReturnType<typeof useFilters<F>>['filters'];

/**
 * What a list screen holds: the page of `endpoint` that the URL's filters ask for, with its search,
 * sorting and page size. `key`: the name under which a person's page size is kept. `filters`: the
 * defaults of the keys in the URL; those in `opens` (which row is opened) filter nothing.
 * `input`: the request; `perPage` is the person's page size. `list` goes to `DataList`.
 */
export function useListScreen<E extends AnyEndpoint, F extends Filters>(
  endpoint: E,
  {
    key,
    perPage,
    filters: defaults,
    opens,
    input,
    ...options
  }: {
    key: string;
    perPage: number;
    filters: F;
    opens?: readonly (keyof F)[];
    input: (filters: Values<F>, perPage: number) => ApiInput<E>;
  } & Parameters<typeof useApiQuery>[2],
) {
  const filtering = useFilters(defaults, opens);
  const { filters, set } = filtering;
  const toFirstPage = (): void => set({ page: 1 } as Partial<Values<F>>);
  const pageSize = usePageSize(key, perPage, toFirstPage);
  const query = useApiQuery(endpoint, input(filters, pageSize.perPage), options);
  return {
    ...filtering,
    response: query.response,
    // The compiler can't see that a list's answer holds rows of `RowOf`.
    list: pagedList(
      query as unknown as PagedQuery<RowOf<Answer<E>>>,
      filtering as unknown as Parameters<typeof pagedList>[1],
      pageSize,
    ),
  };
}
