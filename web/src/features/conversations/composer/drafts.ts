import { useCallback } from 'react';
import { createStore, session, useStore } from '#ui';

/**
 * Unsent text per user, company and conversation. It survives reloads and closed tabs; selected
 * files last as long as the page.
 */
const prefix = 'trunkline.draft';
type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
let storage: DraftStorage | null = typeof localStorage === 'undefined' ? null : localStorage;
/** Replaces the storage (tests only). */
export function setDraftStorage(other: DraftStorage | null): void {
  storage = other;
  store.set({ texts: {}, files: {} });
}

const store = createStore<{ texts: Record<string, string>; files: Record<string, File[]> }>({
  texts: {},
  files: {},
});
const noFiles: File[] = [];

/** Storage key of a draft. Messages and notes have separate drafts. */
export function draftKey(
  conversation: number | 'new',
  mode: 'message' | 'note' = 'message',
): string {
  const { user, selectedCompanyId } = session.get();
  return `${prefix}.${user?.id ?? 0}.${selectedCompanyId ?? 0}.${conversation}${mode === 'note' ? '.note' : ''}`;
}
/** The unsent text; '' when there is none. */
export function readDraft(key: string): string {
  const known = store.get().texts[key];
  if (known !== undefined) return known;
  try {
    return storage?.getItem(key) ?? '';
  } catch {
    return '';
  }
}
/** Stores the unsent text; an empty text deletes its key. */
export function writeDraft(key: string, text: string): void {
  store.set((s) => ({ texts: { ...s.texts, [key]: text } }));
  try {
    if (text === '') storage?.removeItem(key);
    else storage?.setItem(key, text);
  } catch {
    /* storage is full or blocked: the draft lasts as long as the page */
  }
}
/** The files selected for an unsent message, as long as the page lasts. */
export const readFiles = (key: string): File[] => store.get().files[key] ?? noFiles;
const writeFiles = (key: string, files: File[]): void =>
  store.set((s) => ({ files: { ...s.files, [key]: files } }));

/** Returns unsent text to its draft, before anything written since then. */
export function restoreDraft(key: string, text: string, files: File[] = []): void {
  const since = readDraft(key);
  writeDraft(key, since.trim() === '' ? text : text === '' ? since : `${text}\n${since}`);
  if (files.length) writeFiles(key, [...files, ...readFiles(key)]);
}

/**
 * The unsent text and files of a conversation, shared by all that show them, and how to change
 * them.
 */
export function useDraft(key: string) {
  const text = useStore(store, (s) => s.texts[key]) ?? readDraft(key);
  const files = useStore(store, (s) => s.files[key]) ?? noFiles;
  const setText = useCallback((next: string) => writeDraft(key, next), [key]);
  const setFiles = useCallback((next: File[]) => writeFiles(key, next), [key]);
  return { text, files, setText, setFiles };
}
/** Whether the list shows "Draft" for this conversation. */
export const useHasDraft = (conversation: number): boolean => {
  const key = draftKey(conversation);
  return (useStore(store, (s) => s.texts[key]) ?? readDraft(key)).trim() !== '';
};
