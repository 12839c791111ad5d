import { useCallback, useMemo } from 'react';
import {
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryKey,
} from '@tanstack/react-query';
import type { Answer, AnyEndpoint } from '#contract/kit';
import {
  api,
  forbiddenError,
  errorToast,
  ApiError,
  toApiError,
  type ApiInput,
  type ApiOptions,
} from './api.ts';
import { toast, type ToastContent } from './toast.ts';
import { canRead, session, useCompanyId, useSession } from './session.ts';

/**
 * Query keys are endpoint name, company and input, so that events can name what they invalidate.
 */
export const queryKeyOf = (
  endpoint: AnyEndpoint,
  companyId: number | null,
  input: unknown = {},
): readonly [string, number | null, unknown] => [
  endpoint.name,
  endpoint.company === 'none' ? null : companyId,
  input,
];

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 5_000,
        gcTime: 10 * 60_000,
        refetchOnWindowFocus: true,
        structuralSharing: true,
      },
      // Writes fail at once without a network, keeping the draft, instead of running later.
      mutations: { networkMode: 'always' },
    },
  });

export interface QueryOptions extends Pick<ApiOptions, 'silent' | 'failure' | 'skipsSessionCheck'> {
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
    refetch: () => void query.refetch(),
  };
}

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

const callOptions = ({ silent: quiet, failure, skipsSessionCheck }: QueryOptions): ApiOptions => ({
  ...(quiet !== undefined && { silent: quiet }),
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
    refetch: () => void list.refetch(),
  };
}

/** Reverts an optimistic change. */
export type Undo = () => void;

/**
 * Changes every cached response of an endpoint (in the selected company) with a pure function;
 * `undefined` leaves it unchanged. Works on single responses and on pages of infinite lists.
 * Returns the undo.
 */
export function optimisticUpdate<E extends AnyEndpoint>(
  cache: QueryClient,
  endpoint: E,
  update: (response: Answer<E>, input: ApiInput<E>, page: number) => Answer<E> | undefined,
): Undo {
  const company = endpoint.company === 'none' ? null : session.get().selectedCompanyId;
  const before = cache.getQueriesData<Answer<E> | InfiniteData<Answer<E>>>({
    queryKey: [endpoint.name, company],
  });
  for (const [key, data] of before) {
    if (data === undefined) continue;
    void cache.cancelQueries({ queryKey: key, exact: true });
    const input = key[2] as ApiInput<E>;
    if (isInfinite(data))
      cache.setQueryData(key, {
        ...data,
        pages: data.pages.map((page, i) => update(page as Answer<E>, input, i) ?? page),
      });
    else cache.setQueryData(key, update(data, input, 0) ?? data);
  }
  return () => {
    for (const [key, data] of before) cache.setQueryData(key, data);
  };
}

/**
 * Like `optimisticUpdate`, for events: no undo, and requests in flight continue. `missed`: keys of
 * responses that couldn't apply the event.
 */
export function updateCachedQueries<E extends AnyEndpoint>(
  cache: QueryClient,
  endpoint: E,
  update: (response: Answer<E>, input: ApiInput<E>, page: number) => Answer<E> | undefined,
  onMiss: (key: QueryKey) => void,
): void {
  const company = endpoint.company === 'none' ? null : session.get().selectedCompanyId;
  for (const [key, data] of cache.getQueriesData<Answer<E> | InfiniteData<Answer<E>>>({
    queryKey: [endpoint.name, company],
  })) {
    if (data === undefined) {
      if (cache.isFetching({ queryKey: key, exact: true })) onMiss(key);
      continue;
    }
    const input = key[2] as ApiInput<E>;
    const pages = isInfinite(data) ? data.pages : [data];
    const updated = pages.map((page, i) => update(page as Answer<E>, input, i));
    if (updated.includes(undefined) || cache.isFetching({ queryKey: key, exact: true }))
      onMiss(key);
    if (updated.every((page, i) => page === undefined || page === pages[i])) continue;
    const next = updated.map((page, i) => page ?? (pages[i] as Answer<E>));
    // Not a fetch: the response keeps its age.
    cache.setQueryData(key, isInfinite(data) ? { ...data, pages: next } : next[0], {
      updatedAt: cache.getQueryState(key)?.dataUpdatedAt ?? Date.now(),
    });
  }
}
const isInfinite = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data;

/** Invalidates responses and refetches those on screen. */
export const invalidate = (cache: QueryClient, ...names: string[]): void => {
  for (const name of names) invalidateQueries(cache, { queryKey: [name] });
};

const refetchQueued = new WeakSet<object>();
/**
 * Invalidates these queries and refetches those on screen. A first fetch in flight may predate the
 * change, and the library would count it as fresh, so it is fetched again afterwards.
 */
export function invalidateQueries(
  cache: QueryClient,
  which?: { queryKey: QueryKey; exact?: boolean },
): void {
  for (const query of cache.getQueryCache().findAll({ ...which, fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined || refetchQueued.has(query)) continue;
    refetchQueued.add(query);
    void query.promise
      ?.catch(() => {})
      .then(() => {
        refetchQueued.delete(query);
        return cache.invalidateQueries({ queryKey: query.queryKey, exact: true });
      });
  }
  void cache.invalidateQueries(which);
}

export interface MutationOptions<E extends AnyEndpoint> extends ApiOptions {
  /** Toast after success; a function can return null for none. */
  success?:
    | string
    | ToastContent
    | ((response: Answer<E>, input: ApiInput<E>) => string | ToastContent | null);
  /**
   * Changes the cache before the response; the returned undo runs on an error (A §8: optimistic
   * changes are undone).
   */
  optimistic?: (cache: QueryClient, input: ApiInput<E>) => Undo | void;
  /** Endpoints whose responses this changes; refetched after success and after an undo. */
  invalidates?: readonly AnyEndpoint[];
  /**
   * Shows field errors (see `bindFieldErrors`); returns the fields it showed. The toast contains
   * only the others.
   */
  onFieldErrors?: (error: ApiError) => readonly string[];
  onSuccess?: (response: Answer<E>, input: ApiInput<E>) => void;
}

/**
 * A write. `mutate(input)` resolves to the response (an empty object for 204), or to null on an
 * error, which was shown already.
 */
export function useApiMutation<E extends AnyEndpoint>(
  endpoint: E,
  options: MutationOptions<E> = {},
) {
  const cache = useQueryClient();
  const {
    success,
    optimistic,
    invalidates = [],
    onFieldErrors: form,
    onSuccess: done,
    silent: quiet,
    ...call
  } = options;
  const mutation = useMutation<Answer<E>, ApiError, ApiInput<E>, Undo | void>({
    mutationFn: (input) =>
      api(endpoint, input, {
        idempotencyKey: true,
        ...call,
        silent: (error) => {
          const silent = typeof quiet === 'function' ? quiet(error) : (quiet ?? false);
          if (!form || silent) return silent;
          const taken = form(error);
          const left = error.details.filter(
            (p) => p.field === undefined || !taken.includes(p.field),
          );
          if (left.length === error.details.length) return false;
          // Errors shown at their fields are not repeated in the toast.
          if (left.length)
            toast.show({
              ...errorToast(
                new ApiError(error.status, error.body, left, error.code, error.requestId),
                session.get().supportEmail,
              ),
              ms: 10_000,
            });
          return true;
        },
      }),
    onMutate: (input) => optimistic?.(cache, input),
    onError: (_refusal, _input, undo) => undo?.(),
    onSuccess: (response, input) => {
      const toastContent = typeof success === 'function' ? success(response, input) : success;
      if (toastContent)
        toast.show(
          typeof toastContent === 'string'
            ? { type: 'success', title: toastContent }
            : { type: 'success', ...toastContent },
        );
      done?.(response, input);
    },
    onSettled: () => invalidate(cache, ...invalidates.map((e) => e.name)),
  });
  const { mutateAsync } = mutation;
  const mutate = useCallback(
    (input: ApiInput<E> = {}): Promise<Answer<E> | null> =>
      mutateAsync(input).then(
        (response) => response ?? ({} as Answer<E>),
        () => null,
      ),
    [mutateAsync],
  );
  return {
    mutate,
    isPending: mutation.isPending,
    error: mutation.error,
    reset: mutation.reset,
  };
}
