import { isSortDirection, type SortDirection } from '#contract/sort-direction';
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';

/**
 * Navigation without a dependency on a router: the app registers its own. Plain `<a href>` works
 * everywhere, as the app intercepts clicks on its own URLs.
 */
interface Navigator {
  push(to: string): void;
  replace(to: string): void;
  subscribe(listener: () => void): () => void;
  block(ask: () => Promise<boolean>): () => void;
  /** The router's location; `window.location` can lag behind it. */
  location(): { pathname: string; search: string; hash: string };
}
let navigator: Navigator | null = null;
/** Installs the router that `navigate` and `usePath` follow. Called once by the app. */
export const setNavigator = (next: Navigator): void => void (navigator = next);

/**
 * Opens a path in the app. `replace` leaves no entry in the history. Without a router the browser
 * loads the page.
 */
export function navigate(to: string, options: { replace?: boolean } = {}): void {
  if (!navigator) return window.location.assign(to);
  if (options.replace) navigator.replace(to);
  else navigator.push(to);
}

const noop = (): void => {};
const subscribeToLocation = (listener: () => void): (() => void) =>
  navigator?.subscribe(listener) ?? noop;
/** The router's location; before a router is set, the browser's. */
export const currentLocation = (): { pathname: string; search: string; hash: string } =>
  navigator?.location() ?? window.location;
const currentSearch = (): string => currentLocation().search;
/** The current path, without search and hash; the component renders again when it changes. */
export const usePath = (): string =>
  useSyncExternalStore(
    subscribeToLocation,
    () => currentLocation().pathname,
    () => '/',
  );

/** A filter's value in the URL. */
export type FilterValue = string | number | boolean | string[];
/**
 * Widens literal types, so that `{ status: 'all' }` accepts other values. `dir` is always a
 * direction that the API takes.
 */
type Widened<T> = {
  [K in keyof T]: T[K] extends string
    ? K extends 'dir'
      ? SortDirection
      : string
    : T[K] extends number
      ? number
      : T[K] extends boolean
        ? boolean
        : T[K];
};

/** Reads filters from the URL by the types of their defaults; an unknown `dir` is the default. */
export function readFilters<F extends Record<string, FilterValue>>(
  search: string,
  defaults: F,
): Widened<F> {
  const params = new URLSearchParams(search);
  return Object.fromEntries(
    Object.entries(defaults).map(([key, fallback]) => {
      const text = params.get(key);
      if (text === null) return [key, fallback];
      if (typeof fallback === 'number')
        return [key, Number.isFinite(Number(text)) && text !== '' ? Number(text) : fallback];
      if (typeof fallback === 'boolean') return [key, text === '1' || text === 'true'];
      if (Array.isArray(fallback)) return [key, text === '' ? [] : text.split(',')];
      return [key, key === 'dir' && !isSortDirection(text) ? fallback : text];
    }),
  ) as Widened<F>;
}

/** The URL's query with these filters; defaults are left out, other keys are kept. */
export function writeFilters<F extends Record<string, FilterValue>>(
  search: string,
  defaults: F,
  values: Partial<Widened<F>>,
): string {
  const params = new URLSearchParams(search);
  for (const [key, value] of Object.entries(values) as [string, FilterValue][]) {
    const text = Array.isArray(value)
      ? value.join(',')
      : typeof value === 'boolean'
        ? value
          ? '1'
          : '0'
        : String(value);
    const fallback = defaults[key];
    const defaultText = Array.isArray(fallback)
      ? fallback.join(',')
      : typeof fallback === 'boolean'
        ? fallback
          ? '1'
          : '0'
        : String(fallback);
    if (text === defaultText) params.delete(key);
    else params.set(key, text);
  }
  const text = params.toString();
  return text ? `?${text}` : '';
}

/**
 * Filters stored in the URL. `set` replaces the URL (no history entry per keystroke) and returns to
 * page 1 unless it sets the page. Keys in `opens` say what is opened: they filter nothing, so setting
 * them keeps the page and `clear` leaves them.
 */
export function useFilters<F extends Record<string, FilterValue>>(
  defaults: F,
  opens: readonly (keyof F)[] = [],
) {
  const initial = useRef(defaults).current;
  const kept = useRef(opens).current;
  const search = useSyncExternalStore(subscribeToLocation, currentSearch, () => '');
  const filters = useMemo(() => readFilters(search, initial), [search, initial]);
  const set = useCallback(
    (change: Partial<Widened<F>>) => {
      const keepsPage =
        !('page' in initial) || Object.keys(change).every((key) => kept.includes(key));
      const next = keepsPage ? change : { page: initial['page'], ...change };
      const { pathname, search, hash } = currentLocation();
      navigate(pathname + writeFilters(search, initial, next as Partial<Widened<F>>) + hash, {
        replace: true,
      });
    },
    [initial, kept],
  );
  const clear = useCallback(
    () =>
      set(
        Object.fromEntries(
          Object.entries(initial).filter(([key]) => !kept.includes(key)),
        ) as Partial<Widened<F>>,
      ),
    [set, initial, kept],
  );
  const isFiltered = Object.keys(initial).some(
    (key) =>
      !['page', 'perPage', 'sort', 'dir', ...kept].includes(key) &&
      JSON.stringify(filters[key]) !== JSON.stringify(initial[key]),
  );
  return { filters, set, clear, isFiltered };
}

/**
 * While `dirty`, navigation asks `confirm` first; closing the tab shows the browser's own prompt.
 */
export function useLeaveGuard(dirty: boolean, confirm: () => Promise<boolean>): void {
  const latest = useRef(confirm);
  latest.current = confirm;
  useEffect(() => {
    if (!dirty) return;
    const stay = (e: BeforeUnloadEvent): void => e.preventDefault();
    window.addEventListener('beforeunload', stay);
    const free = navigator?.block(() => latest.current());
    return () => {
      window.removeEventListener('beforeunload', stay);
      free?.();
    };
  }, [dirty]);
}
