import { makeStore, useStore } from '#ui';
import type { Conversation } from '../fold.ts';

/** Which dialog is open, and for which conversations: asked for by the list, the thread and the keyboard alike. */
interface Asked {
  what: 'assign' | 'snooze' | null;
  list: readonly Conversation[];
  /** What the asker does once it is done. */ then: () => void;
  /** Where the keyboard was. */ from: HTMLElement | null;
}
const store = makeStore<Asked>({ what: null, list: [], then: () => {}, from: null });
export const useAsked = (): Asked => useStore(store, (s) => s);
export const askTeam = (
  what: 'assign' | 'snooze',
  list: readonly Conversation[],
  then: () => void = () => {},
): void => {
  if (list.length > 0)
    store.set({
      what,
      list,
      then,
      from: document.activeElement instanceof HTMLElement ? document.activeElement : null,
    });
};
/** Closed, whichever way, the keyboard is back where it was. */
export const closeAsked = (): void => {
  const { from } = store.get();
  store.set({ what: null, list: [], then: () => {}, from: null });
  if (from?.isConnected) from.focus({ preventScroll: true });
};
