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
  ask,
  notAllowed,
  noticeOf,
  Refusal,
  refusalOf,
  type AskInput,
  type AskOptions,
} from './ask.ts';
import { flash, type Notice } from './flash-store.ts';
import { mayRead, session, useCompanyId, useSession } from './session.ts';

/** Cached answers are kept by endpoint name, company and input, so that an event can name what it touches. */
export const keyOf = (
  endpoint: AnyEndpoint,
  companyId: number | null,
  input: unknown = {},
): readonly [string, number | null, unknown] => [
  endpoint.name,
  endpoint.company === 'none' ? null : companyId,
  input,
];

export const makeCache = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 5_000,
        gcTime: 10 * 60_000,
        refetchOnWindowFocus: true,
        structuralSharing: true,
      },
      // What one does fails at once without a network, with its notice and its draft, instead of happening some time later.
      mutations: { networkMode: 'always' },
    },
  });

export interface ReadOptions extends Pick<AskOptions, 'quiet' | 'failure' | 'skipsSessionCheck'> {
  /** `false`: not yet (an id is missing). */
  when?: boolean;
  /** How long an answer counts as fresh, ms (A §9 data freshness). Live events make it stale earlier. */
  freshMs?: number;
  everyMs?: number;
  /** For what a form begins with: an answer kept from before does not count, it is asked for when the form opens. */
  fresh?: boolean;
}
interface Read<T> {
  answer: T | undefined;
  refusal: Refusal | null;
  loading: boolean;
  refreshing: boolean;
  again: () => void;
}

const readable = (endpoint: AnyEndpoint, companyId: number | null, when = true): boolean =>
  when && (endpoint.company === 'none' || endpoint.company === 'object' || companyId !== null);

/** Read through the cache. `answer` stays while filters change, so nothing jumps; never across companies or objects. */
export function useAsk<E extends AnyEndpoint>(
  endpoint: E,
  input: AskInput<E> = {},
  options: ReadOptions = {},
): Read<Answer<E>> {
  const companyId = useCompanyId();
  const key = keyOf(endpoint, companyId, input);
  const allowed = useAllowed(endpoint, input);
  const params = JSON.stringify(input.params ?? null);
  const query = useQuery<Answer<E>, Refusal>({
    queryKey: key,
    queryFn: ({ signal }) => ask(endpoint, input, { ...reading(options), signal }),
    enabled: allowed && readable(endpoint, companyId, options.when),
    ...(options.freshMs !== undefined && { staleTime: options.freshMs }),
    ...(options.everyMs !== undefined && { refetchInterval: options.everyMs }),
    ...(options.fresh && { refetchOnMount: 'always' as const }),
    placeholderData: (previous, before) => {
      const [, ofCompany, ofInput] = (before?.queryKey ?? []) as unknown as [
        string,
        number | null,
        AskInput<E> | undefined,
      ];
      return before && ofCompany === key[1] && JSON.stringify(ofInput?.params ?? null) === params
        ? previous
        : undefined;
    },
  });
  const waits = options.fresh === true && !query.isFetchedAfterMount;
  const refusal = refusalNow(query, allowed || options.when === false);
  return {
    answer: waits ? undefined : query.data,
    refusal,
    loading: refusal === null && (query.isPending || waits) && query.fetchStatus !== 'idle',
    refreshing: query.isFetching,
    again: () => void query.refetch(),
  };
}

const forbidden = notAllowed();
/** What a role may not read is not asked for, whichever screen wants it. */
const useAllowed = (endpoint: AnyEndpoint, input: AskInput<AnyEndpoint>): boolean =>
  useSession((s) => mayRead(endpoint, input, s));

/** Without a network a read waits until there is one; what it would show says so meanwhile. */
const refusalNow = (
  query: { error: Refusal | null; data: unknown; fetchStatus: string },
  allowed: boolean,
): Refusal | null =>
  !allowed
    ? forbidden
    : (query.error ??
      (query.fetchStatus === 'paused' && query.data === undefined ? refusalOf(0, null) : null));

const reading = ({ quiet, failure, skipsSessionCheck }: ReadOptions): AskOptions => ({
  ...(quiet !== undefined && { quiet }),
  ...(failure && { failure }),
  ...(skipsSessionCheck !== undefined && { skipsSessionCheck }),
});

interface Paged {
  data: unknown[];
  meta: { total?: number; current_page?: number; last_page?: number; next_cursor?: unknown };
}
type Row<A> = A extends { data: (infer R)[] } ? R : never;

/** A list that grows while one scrolls: by the cursor of the last answer when it has one, else by page. */
export function useAskList<E extends AnyEndpoint>(
  endpoint: E,
  input: AskInput<E> = {},
  options: ReadOptions = {},
) {
  const companyId = useCompanyId();
  const allowed = useAllowed(endpoint, input);
  const list = useInfiniteQuery<
    Answer<E>,
    Refusal,
    InfiniteData<Answer<E>>,
    readonly unknown[],
    { cursor?: string; page?: number }
  >({
    queryKey: keyOf(endpoint, companyId, { list: true, ...input }),
    queryFn: ({ pageParam, signal }) =>
      ask(endpoint, { ...input, query: { ...input.query, ...pageParam } } as AskInput<E>, {
        ...reading(options),
        signal,
      }),
    initialPageParam: {},
    getNextPageParam: (last) => {
      const { meta } = last as unknown as Paged;
      if (typeof meta?.next_cursor === 'string' && meta.next_cursor)
        return { cursor: meta.next_cursor };
      if ('next_cursor' in (meta ?? {})) return undefined;
      return (meta?.current_page ?? 1) < (meta?.last_page ?? 1)
        ? { page: (meta.current_page ?? 1) + 1 }
        : undefined;
    },
    enabled: allowed && readable(endpoint, companyId, options.when),
    ...(options.freshMs !== undefined && { staleTime: options.freshMs }),
  });
  const rows = useMemo(
    () =>
      (list.data?.pages ?? []).flatMap(
        (page) => (page as unknown as Paged).data as Row<Answer<E>>[],
      ),
    [list.data],
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    rows,
    first: list.data?.pages[0],
    total: (list.data?.pages[0] as unknown as Paged | undefined)?.meta?.total ?? rows.length,
    hasMore: hasNextPage,
    more,
    loadingMore: isFetchingNextPage,
    loading: list.isPending && list.fetchStatus === 'fetching',
    refusal: refusalNow(list, allowed || options.when === false),
    again: () => void list.refetch(),
  };
}

/** Puts things back as they were. */
export type Undo = () => void;

/**
 * Change every cached answer of an endpoint (in the selected company) by a pure function; `undefined` leaves it alone.
 * Works on single answers and on each page of a growing list. Returns the undo.
 */
export function changeAnswers<E extends AnyEndpoint>(
  cache: QueryClient,
  endpoint: E,
  fold: (answer: Answer<E>, input: AskInput<E>, page: number) => Answer<E> | undefined,
): Undo {
  const company = endpoint.company === 'none' ? null : session.get().selectedCompanyId;
  const before = cache.getQueriesData<Answer<E> | InfiniteData<Answer<E>>>({
    queryKey: [endpoint.name, company],
  });
  for (const [key, data] of before) {
    if (data === undefined) continue;
    void cache.cancelQueries({ queryKey: key, exact: true });
    const input = key[2] as AskInput<E>;
    if (isGrowing(data))
      cache.setQueryData(key, {
        ...data,
        pages: data.pages.map((page, i) => fold(page as Answer<E>, input, i) ?? page),
      });
    else cache.setQueryData(key, fold(data, input, 0) ?? data);
  }
  return () => {
    for (const [key, data] of before) cache.setQueryData(key, data);
  };
}

/** As `changeAnswers`, for news from outside: nothing is undone, what is on its way is not stopped. `missed` names answers that could not take it in. */
export function foldAnswers<E extends AnyEndpoint>(
  cache: QueryClient,
  endpoint: E,
  fold: (answer: Answer<E>, input: AskInput<E>, page: number) => Answer<E> | undefined,
  missed: (key: QueryKey) => void,
): void {
  const company = endpoint.company === 'none' ? null : session.get().selectedCompanyId;
  for (const [key, data] of cache.getQueriesData<Answer<E> | InfiniteData<Answer<E>>>({
    queryKey: [endpoint.name, company],
  })) {
    if (data === undefined) {
      if (cache.isFetching({ queryKey: key, exact: true })) missed(key);
      continue;
    }
    const input = key[2] as AskInput<E>;
    const pages = isGrowing(data) ? data.pages : [data];
    const folded = pages.map((page, i) => fold(page as Answer<E>, input, i));
    if (folded.includes(undefined) || cache.isFetching({ queryKey: key, exact: true })) missed(key);
    if (folded.every((page, i) => page === undefined || page === pages[i])) continue;
    const next = folded.map((page, i) => page ?? (pages[i] as Answer<E>));
    // Not a fresh reading: the answer keeps its age.
    cache.setQueryData(key, isGrowing(data) ? { ...data, pages: next } : next[0], {
      updatedAt: cache.getQueryState(key)?.dataUpdatedAt ?? Date.now(),
    });
  }
}
const isGrowing = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data;

/** Make answers stale and refetch those on screen. */
export const touch = (cache: QueryClient, ...names: string[]): void => {
  for (const name of names) makeStale(cache, { queryKey: [name] });
};

const readTwice = new WeakSet<object>();
/**
 * Make these answers stale and refetch those on screen. One that is on its way for the first time may have left before
 * what happened, and the library would take it for fresh: it is read once more when it is here.
 */
export function makeStale(
  cache: QueryClient,
  which?: { queryKey: QueryKey; exact?: boolean },
): void {
  for (const query of cache.getQueryCache().findAll({ ...which, fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined || readTwice.has(query)) continue;
    readTwice.add(query);
    void query.promise
      ?.catch(() => {})
      .then(() => {
        readTwice.delete(query);
        return cache.invalidateQueries({ queryKey: query.queryKey, exact: true });
      });
  }
  void cache.invalidateQueries(which);
}

export interface TellOptions<E extends AnyEndpoint> extends AskOptions {
  /** Flash after success; a function may return null for silence. */
  success?: string | Notice | ((answer: Answer<E>, input: AskInput<E>) => string | Notice | null);
  /** Change the cache before the server answers; the returned undo runs when it refuses (A §8: optimistic changes are undone). */
  optimistic?: (cache: QueryClient, input: AskInput<E>) => Undo | void;
  /** Endpoints whose answers this changes. Undone and done alike they are refetched. */
  touches?: readonly AnyEndpoint[];
  /** Shows field errors (see `bindRefusal`); returns the fields it took. The notice then speaks only of the others. */
  form?: (refusal: Refusal) => readonly string[];
  done?: (answer: Answer<E>, input: AskInput<E>) => void;
}

/** Write. `tell(input)` resolves to the answer (an empty object for 204), or to null when refused: everything was shown already. */
export function useTell<E extends AnyEndpoint>(endpoint: E, options: TellOptions<E> = {}) {
  const cache = useQueryClient();
  const { success, optimistic, touches = [], form, done, quiet, ...call } = options;
  const mutation = useMutation<Answer<E>, Refusal, AskInput<E>, Undo | void>({
    mutationFn: (input) =>
      ask(endpoint, input, {
        once: true,
        ...call,
        quiet: (refusal) => {
          const silent = typeof quiet === 'function' ? quiet(refusal) : (quiet ?? false);
          if (!form || silent) return silent;
          const taken = form(refusal);
          const left = refusal.problems.filter(
            (p) => p.field === undefined || !taken.includes(p.field),
          );
          if (left.length === refusal.problems.length) return false;
          // What stands at its field is not said twice; the notice speaks of the rest.
          if (left.length)
            flash.show({
              ...noticeOf(
                new Refusal(refusal.status, refusal.body, left, refusal.code, refusal.requestId),
                session.get().supportEmail,
              ),
              ms: 10_000,
            });
          return true;
        },
      }),
    onMutate: (input) => optimistic?.(cache, input),
    onError: (_refusal, _input, undo) => undo?.(),
    onSuccess: (answer, input) => {
      const said = typeof success === 'function' ? success(answer, input) : success;
      if (said)
        flash.show(
          typeof said === 'string'
            ? { type: 'success', title: said }
            : { type: 'success', ...said },
        );
      done?.(answer, input);
    },
    onSettled: () => touch(cache, ...touches.map((e) => e.name)),
  });
  const { mutateAsync } = mutation;
  const tell = useCallback(
    (input: AskInput<E> = {}): Promise<Answer<E> | null> =>
      mutateAsync(input).then(
        (answer) => answer ?? ({} as Answer<E>),
        () => null,
      ),
    [mutateAsync],
  );
  return { tell, telling: mutation.isPending, refusal: mutation.error, forget: mutation.reset };
}
