import { createStore, useStore } from '#ui';
import type { Conversation } from '../cache-updates.ts';

/**
 * Which dialog is open, and for which conversations. Opened from the list, the thread and by
 * shortcuts.
 */
interface TeamDialogState {
  kind: 'assign' | 'snooze' | null;
  conversations: readonly Conversation[];
  /** Runs once the dialog's action is done. */
  onDone: () => void;
  /** The element that had the focus before. */
  returnFocusTo: HTMLElement | null;
}
const store = createStore<TeamDialogState>({
  kind: null,
  conversations: [],
  onDone: () => {},
  returnFocusTo: null,
});
/** Which of the team dialogs is open, and for which conversations. Null `kind`: none. */
export const useTeamDialog = (): TeamDialogState => useStore(store, (s) => s);
/** Opens the assign or snooze dialog; it remembers the focused element. */
export const openTeamDialog = (
  kind: 'assign' | 'snooze',
  conversations: readonly Conversation[],
  onDone: () => void = () => {},
): void => {
  if (conversations.length > 0)
    store.set({
      kind,
      conversations,
      onDone,
      returnFocusTo: document.activeElement instanceof HTMLElement ? document.activeElement : null,
    });
};
/** Closes the dialog and restores the focus. */
export const closeTeamDialog = (): void => {
  const { returnFocusTo } = store.get();
  store.set({ kind: null, conversations: [], onDone: () => {}, returnFocusTo: null });
  if (returnFocusTo?.isConnected) returnFocusTo.focus({ preventScroll: true });
};
