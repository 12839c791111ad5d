import { useCallback } from 'react';
import { makeStore, session, useStore } from '#ui';

/**
 * What was written and not sent, kept per person, company and conversation: it survives reloads and closed tabs. Chosen
 * files live as long as the page.
 */
const prefix = 'trunkline.draft';
type Box = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
let box: Box | null = typeof localStorage === 'undefined' ? null : localStorage;
/** Tests bring their own box. */
export function keepDraftsIn(other: Box | null): void {
  box = other;
  store.set({ texts: {}, files: {} });
}

const store = makeStore<{ texts: Record<string, string>; files: Record<string, File[]> }>({
  texts: {},
  files: {},
});
const noFiles: File[] = [];

/** `conversation`: its id, or `new`. `mode`: messages and notes have drafts of their own. */
export function draftPlace(
  conversation: number | 'new',
  mode: 'message' | 'note' = 'message',
): string {
  const { user, selectedCompanyId } = session.get();
  return `${prefix}.${user?.id ?? 0}.${selectedCompanyId ?? 0}.${conversation}${mode === 'note' ? '.note' : ''}`;
}
export function readDraft(place: string): string {
  const known = store.get().texts[place];
  if (known !== undefined) return known;
  try {
    return box?.getItem(place) ?? '';
  } catch {
    return '';
  }
}
export function writeDraft(place: string, text: string): void {
  store.set((s) => ({ texts: { ...s.texts, [place]: text } }));
  try {
    if (text === '') box?.removeItem(place);
    else box?.setItem(place, text);
  } catch {
    /* a full or forbidden box: the draft then lasts as long as the page */
  }
}
export const readFiles = (place: string): File[] => store.get().files[place] ?? noFiles;
export const writeFiles = (place: string, files: File[]): void =>
  store.set((s) => ({ files: { ...s.files, [place]: files } }));

/** What could not be sent goes back to where it was written, before anything written since. */
export function giveBack(place: string, text: string, files: File[] = []): void {
  const since = readDraft(place);
  writeDraft(place, since.trim() === '' ? text : text === '' ? since : `${text}\n${since}`);
  if (files.length) writeFiles(place, [...files, ...readFiles(place)]);
}

export function useDraft(place: string) {
  const text = useStore(store, (s) => s.texts[place]) ?? readDraft(place);
  const files = useStore(store, (s) => s.files[place]) ?? noFiles;
  const setText = useCallback((next: string) => writeDraft(place, next), [place]);
  const setFiles = useCallback((next: File[]) => writeFiles(place, next), [place]);
  return { text, files, setText, setFiles };
}
/** Has this conversation something unsent? For the list. */
export const useHasDraft = (conversation: number): boolean => {
  const place = draftPlace(conversation);
  return (useStore(store, (s) => s.texts[place]) ?? readDraft(place)).trim() !== '';
};
