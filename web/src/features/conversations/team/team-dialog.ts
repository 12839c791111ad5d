import { createStore, useStore } from '#ui';
import type { Conversation } from '../cache-updates.ts';

/** Which dialog is open, and for which conversations: asked for by the list, the thread and the keyboard alike. */
interface TeamDialogState {
  kind: 'assign' | 'snooze' | null;
  conversations: readonly Conversation[];
  /** What the asker does once it is done. */ onDone: () => void;
  /** Where the keyboard was. */ returnFocusTo: HTMLElement | null;
}
const store = createStore<TeamDialogState>({
  kind: null,
  conversations: [],
  onDone: () => {},
  returnFocusTo: null,
});
export const useTeamDialog = (): TeamDialogState => useStore(store, (s) => s);
export const openTeamDialog = (
  what: 'assign' | 'snooze',
  list: readonly Conversation[],
  then: () => void = () => {},
): void => {
  if (list.length > 0)
    store.set({
      kind: what,
      conversations: list,
      onDone: then,
      returnFocusTo: document.activeElement instanceof HTMLElement ? document.activeElement : null,
    });
};
/** Closed, whichever way, the keyboard is back where it was. */
export const closeTeamDialog = (): void => {
  const { returnFocusTo: from } = store.get();
  store.set({ kind: null, conversations: [], onDone: () => {}, returnFocusTo: null });
  if (from?.isConnected) from.focus({ preventScroll: true });
};
