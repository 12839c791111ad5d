import { useEffect, useRef } from 'react';
import { createStore, useStore } from './store.ts';

/** `keys`: one key ("j", "Enter", "?"), with `mod+` for ⌘/Ctrl and `shift+`, or two in a row ("g i"). */
interface Shortcut {
  keys: string;
  label: string;
  group?: string;
  run: (event: KeyboardEvent) => void;
  hidden?: boolean;
}

const store = createStore<{ sets: { id: number; list: Shortcut[] }[] }>({ sets: [] });
/** The keyboard shortcuts in effect, without hidden ones, as the help lists them. */
export const useShortcutList = (): Shortcut[] =>
  useStore(store, (s) => s.sets)
    .flatMap((s) => s.list)
    .filter((s) => !s.hidden);
let count = 0;
let pending = '';
let pendingTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Registers shortcuts while the screen is mounted; the newest win. Without `mod+` they are off
 * while typing or in a dialog.
 */
export function useShortcuts(list: Shortcut[]): void {
  const latest = useRef(list);
  latest.current = list;
  const signature = list.map((s) => s.keys + s.label).join('|');
  useEffect(() => {
    const id = ++count;
    const lively = latest.current.map((s, i) => ({
      ...s,
      run: (e: KeyboardEvent) => latest.current[i]?.run(e),
    }));
    store.set((s) => ({ sets: [...s.sets, { id, list: lively }] }));
    return () => store.set((s) => ({ sets: s.sets.filter((each) => each.id !== id) }));
  }, [signature]);
}

/** Whether keys typed here are text: in inputs, selects and editable content. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) &&
      !['checkbox', 'radio', 'button', 'submit', 'range'].includes(
        (target as HTMLInputElement).type,
      )));

/**
 * A key with its modifiers as shortcuts are written: `mod+k`, `shift+?`. Command and Control are
 * both `mod`.
 */
export function keyName(
  e: Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>,
): string {
  const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  const shift = e.shiftKey && (e.key.length > 1 || /[a-z]/i.test(e.key)) ? 'shift+' : '';
  return `${e.metaKey || e.ctrlKey ? 'mod+' : ''}${e.altKey ? 'alt+' : ''}${shift}${key}`;
}

/** Adds the document's key listener; returns its removal. */
export function startShortcuts(): () => void {
  const onKeyDown = (e: KeyboardEvent): void => {
    if (e.defaultPrevented || e.isComposing) return;
    const name = keyName(e);
    const inDialog = document.querySelector('[role="dialog"]') !== null;
    if (!name.startsWith('mod+') && (isTyping(e.target) || inDialog)) return;
    // Enter and space on a control activate it.
    if (
      (name === 'Enter' || name === ' ') &&
      e.target instanceof HTMLElement &&
      e.target.closest('a,button,[role="row"],[role="option"],[role="menuitem"],summary')
    )
      return;
    const both = pending ? `${pending} ${name}` : '';
    const all = [...store.get().sets].reverse().flatMap((s) => s.list);
    const hit = (both && all.find((s) => s.keys === both)) || all.find((s) => s.keys === name);
    pending = '';
    clearTimeout(pendingTimer);
    if (hit) {
      e.preventDefault();
      hit.run(e);
    } else if (all.some((s) => s.keys.startsWith(`${name} `))) {
      pending = name;
      pendingTimer = setTimeout(() => {
        pending = '';
      }, 900);
    }
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}

const isMac = (): boolean =>
  typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
/** Keys for display: `mod+k` → `⌘ K` or `Ctrl K`. */
export const formatKeys = (keys: string): string[] =>
  keys
    .split(' ')
    .flatMap((k) => k.split('+'))
    .map(
      (k) =>
        ({
          mod: isMac() ? '⌘' : 'Ctrl',
          shift: '⇧',
          alt: isMac() ? '⌥' : 'Alt',
          ArrowDown: '↓',
          ArrowUp: '↑',
          Escape: 'Esc',
        })[k] ?? (k.length === 1 ? k.toUpperCase() : k),
    );
