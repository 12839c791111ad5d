import { useSyncExternalStore } from 'react';

/** A small value that lives outside React and can be watched from inside. */
export interface Store<S> {
  get(): S;
  set(change: Partial<S> | ((state: S) => Partial<S>)): void;
  subscribe(listener: () => void): () => void;
}

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

/** Watch a part of a store. `pick` must return the same reference while nothing changed. */
export function useStore<S extends object, T>(store: Store<S>, selector: (state: S) => T): T {
  return useSyncExternalStore(
    store.subscribe,
    () => selector(store.get()),
    () => selector(store.get()),
  );
}
