import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';

/**
 * Where we are, without knowing which router the app uses: the app hands its own in once. Plain `<a href>` works
 * everywhere, the app catches clicks on its own addresses.
 */
export interface Navigator {
  push(to: string): void;
  replace(to: string): void;
  subscribe(heard: () => void): () => void;
  block(ask: () => Promise<boolean>): () => void;
  /** Where the router is; `window.location` may lag behind by a moment. */
  where(): { pathname: string; search: string; hash: string };
}
let navigator: Navigator | null = null;
export const setNavigator = (theirs: Navigator): void => void (navigator = theirs);

export function go(to: string, options: { replace?: boolean } = {}): void {
  if (!navigator) return window.location.assign(to);
  if (options.replace) navigator.replace(to);
  else navigator.push(to);
}

const nowhere = (): void => {};
const watch = (heard: () => void): (() => void) => navigator?.subscribe(heard) ?? nowhere;
export const where = (): { pathname: string; search: string; hash: string } =>
  navigator?.where() ?? window.location;
const searchNow = (): string => where().search;
export const usePath = (): string =>
  useSyncExternalStore(
    watch,
    () => where().pathname,
    () => '/',
  );

type Value = string | number | boolean | string[];
/** `{ status: 'all' }` given as a literal must accept other words too. */
type Wide<T> = {
  [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends number
      ? number
      : T[K] extends boolean
        ? boolean
        : T[K];
};

/** Read filters from the address by the types of their defaults. */
export function readFilters<F extends Record<string, Value>>(search: string, defaults: F): Wide<F> {
  const said = new URLSearchParams(search);
  return Object.fromEntries(
    Object.entries(defaults).map(([key, fallback]) => {
      const text = said.get(key);
      if (text === null) return [key, fallback];
      if (typeof fallback === 'number')
        return [key, Number.isFinite(Number(text)) && text !== '' ? Number(text) : fallback];
      if (typeof fallback === 'boolean') return [key, text === '1' || text === 'true'];
      if (Array.isArray(fallback)) return [key, text === '' ? [] : text.split(',')];
      return [key, text];
    }),
  ) as Wide<F>;
}

/** The address's query with these filters; what equals its default is left out, foreign keys stay. */
export function writeFilters<F extends Record<string, Value>>(
  search: string,
  defaults: F,
  values: Partial<Wide<F>>,
): string {
  const said = new URLSearchParams(search);
  for (const [key, value] of Object.entries(values) as [string, Value][]) {
    const text = Array.isArray(value)
      ? value.join(',')
      : typeof value === 'boolean'
        ? value
          ? '1'
          : '0'
        : String(value);
    const fallback = defaults[key];
    const usual = Array.isArray(fallback)
      ? fallback.join(',')
      : typeof fallback === 'boolean'
        ? fallback
          ? '1'
          : '0'
        : String(fallback);
    if (text === usual) said.delete(key);
    else said.set(key, text);
  }
  const text = said.toString();
  return text ? `?${text}` : '';
}

/**
 * Filters that live in the address bar. `set` replaces the address (no history entry per keystroke) and goes back to
 * page 1 unless it sets the page itself.
 */
export function useFilters<F extends Record<string, Value>>(defaults: F) {
  const kept = useRef(defaults).current;
  const search = useSyncExternalStore(watch, searchNow, () => '');
  const filters = useMemo(() => readFilters(search, kept), [search, kept]);
  const set = useCallback(
    (change: Partial<Wide<F>>) => {
      const next =
        'page' in kept && !('page' in change) ? { page: kept['page'], ...change } : change;
      const { pathname, search, hash } = where();
      go(pathname + writeFilters(search, kept, next as Partial<Wide<F>>) + hash, { replace: true });
    },
    [kept],
  );
  const clear = useCallback(() => set(kept as unknown as Partial<Wide<F>>), [set, kept]);
  const isFiltered = Object.keys(kept).some(
    (key) =>
      !['page', 'perPage', 'sort', 'dir'].includes(key) &&
      JSON.stringify(filters[key]) !== JSON.stringify(kept[key]),
  );
  return { filters, set, clear, isFiltered };
}

/** While `dirty`, leaving asks `confirm` first; closing the tab asks in the browser's own words. */
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
