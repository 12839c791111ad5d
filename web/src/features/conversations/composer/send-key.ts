import { createStore, useStore } from '#ui';

/**
 * Which key sends: Enter (Shift+Enter adds a line break), or only ⌘/Ctrl+Enter. Stored on this
 * device.
 */
const storageKey = 'trunkline.sendWith';
type SendKey = 'enter' | 'mod';
const readStored = (): SendKey => {
  try {
    return localStorage.getItem(storageKey) === 'mod' ? 'mod' : 'enter';
  } catch {
    return 'enter';
  }
};
const store = createStore<{ way: SendKey }>({
  way: typeof localStorage === 'undefined' ? 'enter' : readStored(),
});
/** Which key sends on this device. */
export const useSendKey = (): SendKey => useStore(store, (s) => s.way);
/** Stores which key sends on this device. */
export function setSendKey(sendKey: SendKey): void {
  store.set({ way: sendKey });
  try {
    localStorage.setItem(storageKey, sendKey);
  } catch {
    /* storage is blocked: it lasts as long as the page */
  }
}

/** Whether this key press sends. Never while a word is being composed (IME), never Shift+Enter. */
export const isSendKey = (
  e: { key: string; shiftKey: boolean; metaKey: boolean; ctrlKey: boolean; isComposing: boolean },
  sendKey: SendKey,
): boolean =>
  e.key === 'Enter' &&
  !e.isComposing &&
  (e.metaKey || e.ctrlKey || (sendKey === 'enter' && !e.shiftKey));
