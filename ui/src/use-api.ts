import { useCallback, useMemo } from 'react';
import { useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query';
import type { Answer, AnyEndpoint } from '#contract/kit';
import {
  api,
  forbiddenError,
  toApiError,
  type ApiError,
  type ApiInput,
  type ApiOptions,
} from './api.ts';
import { queryKeyOf } from './query-cache.ts';
import { canRead, useCompanyId, useSession } from './session.ts';

interface QueryOptions extends Pick<ApiOptions, 'silent' | 'failure' | 'skipsSessionCheck'> {
  /** `false`: not yet, such as while an ID is missing. */
  enabled?: boolean;
  /**
   * How long a response is fresh, in ms (A §9 data freshness). Live events make it stale earlier.
   */
  staleTime?: number;
  refetchInterval?: number;
  /** Refetches when mounted, ignoring the cache; for the initial values of a form. */
  refetchOnMount?: boolean;
}
interface QueryResult<T> {
  response: T | undefined;
  error: ApiError | null;
  loading: boolean;
  fetching: boolean;
  /** The response is that of the input before, shown until the new one is there. */
  isPrevious: boolean;
  refetch: () => void;
}

const canFetch = (endpoint: AnyEndpoint, companyId: number | null, enabled = true): boolean =>
  enabled && (endpoint.company === 'none' || endpoint.company === 'object' || companyId !== null);

/**
 * Reads through the cache. The previous data stays while filters change, so nothing jumps, but not
 * across companies or objects.
 */
export function useApiQuery<E extends AnyEndpoint>(
  endpoint: E,
  input: ApiInput<E> = {},
  options: QueryOptions = {},
): QueryResult<Answer<E>> {
  const companyId = useCompanyId();
  const key = queryKeyOf(endpoint, companyId, input);
  const allowed = useCanRead(endpoint, input);
  const params = JSON.stringify(input.params ?? null);
  const query = useQuery<Answer<E>, ApiError>({
    queryKey: key,
    queryFn: ({ signal }) => api(endpoint, input, { ...callOptions(options), signal }),
    enabled: allowed && canFetch(endpoint, companyId, options.enabled),
    ...(options.staleTime !== undefined && { staleTime: options.staleTime }),
    ...(options.refetchInterval !== undefined && { refetchInterval: options.refetchInterval }),
    ...(options.refetchOnMount && { refetchOnMount: 'always' as const }),
    placeholderData: (previous, before) => {
      const [, ofCompany, ofInput] = (before?.queryKey ?? []) as unknown as [
        string,
        number | null,
        ApiInput<E> | undefined,
      ];
      return before && ofCompany === key[1] && JSON.stringify(ofInput?.params ?? null) === params
        ? previous
        : undefined;
    },
  });
  const awaitsFresh = options.refetchOnMount === true && !query.isFetchedAfterMount;
  const error = currentError(query, allowed || options.enabled === false);
  return {
    response: awaitsFresh ? undefined : query.data,
    error,
    loading: error === null && (query.isPending || awaitsFresh) && query.fetchStatus !== 'idle',
    fetching: query.isFetching,
    isPrevious: query.isPlaceholderData,
    refetch: useSilent(query.refetch),
  };
}

/** The same function for as long as the query's is, so that rows that get it aren't drawn again. */
const useSilent = (run: () => Promise<unknown>): (() => void) =>
  useCallback(() => void run(), [run]);

const forbidden = forbiddenError();
/** Reads that the role is not allowed are not requested. */
const useCanRead = (endpoint: AnyEndpoint, input: ApiInput<AnyEndpoint>): boolean =>
  useSession((s) => canRead(endpoint, input, s));

/** Without a network, a read waits; this is the error to show meanwhile. */
const currentError = (
  query: { error: ApiError | null; data: unknown; fetchStatus: string },
  allowed: boolean,
): ApiError | null =>
  !allowed
    ? forbidden
    : (query.error ??
      (query.fetchStatus === 'paused' && query.data === undefined ? toApiError(0, null) : null));

const callOptions = ({ silent, failure, skipsSessionCheck }: QueryOptions): ApiOptions => ({
  ...(silent !== undefined && { silent }),
  ...(failure && { failure }),
  ...(skipsSessionCheck !== undefined && { skipsSessionCheck }),
});

interface PagedBody {
  data: unknown[];
  meta: { total?: number; current_page?: number; last_page?: number; next_cursor?: unknown };
}
type RowOf<A> = A extends { data: (infer R)[] } ? R : never;

/** A list that loads more on scroll: by the last response's cursor, or by page. */
export function useApiInfiniteQuery<E extends AnyEndpoint>(
  endpoint: E,
  input: ApiInput<E> = {},
  options: QueryOptions = {},
) {
  const companyId = useCompanyId();
  const allowed = useCanRead(endpoint, input);
  const list = useInfiniteQuery<
    Answer<E>,
    ApiError,
    InfiniteData<Answer<E>>,
    readonly unknown[],
    { cursor?: string; page?: number }
  >({
    queryKey: queryKeyOf(endpoint, companyId, { list: true, ...input }),
    queryFn: ({ pageParam, signal }) =>
      api(endpoint, { ...input, query: { ...input.query, ...pageParam } } as ApiInput<E>, {
        ...callOptions(options),
        signal,
      }),
    initialPageParam: {},
    getNextPageParam: (last) => {
      const { meta } = last as unknown as PagedBody;
      if (typeof meta?.next_cursor === 'string' && meta.next_cursor)
        return { cursor: meta.next_cursor };
      if ('next_cursor' in (meta ?? {})) return undefined;
      return (meta?.current_page ?? 1) < (meta?.last_page ?? 1)
        ? { page: (meta.current_page ?? 1) + 1 }
        : undefined;
    },
    enabled: allowed && canFetch(endpoint, companyId, options.enabled),
    ...(options.staleTime !== undefined && { staleTime: options.staleTime }),
  });
  const rows = useMemo(
    () =>
      (list.data?.pages ?? []).flatMap(
        (page) => (page as unknown as PagedBody).data as RowOf<Answer<E>>[],
      ),
    [list.data],
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    rows,
    firstPage: list.data?.pages[0],
    total: (list.data?.pages[0] as unknown as PagedBody | undefined)?.meta?.total ?? rows.length,
    hasMore: hasNextPage,
    more: loadMore,
    loadingMore: isFetchingNextPage,
    loading: list.isPending && list.fetchStatus === 'fetching',
    error: currentError(list, allowed || options.enabled === false),
    refetch: useSilent(list.refetch),
  };
}
