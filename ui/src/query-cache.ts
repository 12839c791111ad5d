import { QueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query';
import type { Answer, AnyEndpoint } from '#contract/kit';
import type { ApiInput } from './api.ts';
import { keepUnchanged } from './keep-unchanged.ts';
import { session } from './session.ts';

/**
 * Query keys are endpoint name, company and input, so that events can name what they invalidate.
 * The company is null for endpoints that belong to none.
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

/** The cache of all responses: fresh for 5 s, kept for 10 min unused, fetched again on focus. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 5_000,
        gcTime: 10 * 60_000,
        refetchOnWindowFocus: true,
        structuralSharing: keepUnchanged,
      },
      // Writes fail at once without a network, keeping the draft, instead of running later.
      mutations: { networkMode: 'always' },
    },
  });

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
