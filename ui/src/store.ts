import { useSyncExternalStore } from 'react';

/** A value outside React that components can subscribe to. */
export interface Store<S> {
  get(): S;
  set(change: Partial<S> | ((state: S) => Partial<S>)): void;
  subscribe(listener: () => void): () => void;
}

/**
 * State outside React: changes merge into it and every subscriber hears of them. `onChange` runs
 * before the subscribers.
 */
export function createStore<S extends object>(initial: S, onChange?: (state: S) => void): Store<S> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...(typeof change === 'function' ? change(state) : change) };
      onChange?.(state);
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/**
 * Subscribes to a part of a store. `selector` must return the same reference while nothing changed.
 */
export function useStore<S extends object, T>(store: Store<S>, selector: (state: S) => T): T {
  return useSyncExternalStore(
    store.subscribe,
    () => selector(store.get()),
    () => selector(store.get()),
  );
}
