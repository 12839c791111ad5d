import { makeStore, useStore } from '#ui';

/** Which key sends: Enter (then Shift+Enter begins a line), or only ⌘/Ctrl+Enter. Kept on this device. */
const place = 'trunkline.sendWith';
type Way = 'enter' | 'mod';
const read = (): Way => {
  try {
    return localStorage.getItem(place) === 'mod' ? 'mod' : 'enter';
  } catch {
    return 'enter';
  }
};
const store = makeStore<{ way: Way }>({
  way: typeof localStorage === 'undefined' ? 'enter' : read(),
});
export const useSendWith = (): Way => useStore(store, (s) => s.way);
export function setSendWith(way: Way): void {
  store.set({ way });
  try {
    localStorage.setItem(place, way);
  } catch {
    /* then it lasts as long as the page */
  }
}

/** Does this key send? Never while a word is being composed (IME), never Shift+Enter. */
export const sends = (
  e: { key: string; shiftKey: boolean; metaKey: boolean; ctrlKey: boolean; isComposing: boolean },
  way: Way,
): boolean =>
  e.key === 'Enter' &&
  !e.isComposing &&
  (e.metaKey || e.ctrlKey || (way === 'enter' && !e.shiftKey));
