import { useEffect } from 'react';
import { makeStore } from './store.ts';

/** One line of the command palette. `href` or `run`. */
export interface Command {
  id: string;
  title: string;
  group: string;
  description?: string;
  keywords?: string[];
  href?: string;
  run?: () => void;
  icon?: React.ReactNode;
}
/** Finds things by what was typed (conversations, numbers, people). At most a handful of results. */
export interface Finder {
  group: string;
  find: (query: string, signal: AbortSignal) => Promise<Command[]>;
}

export const commandStore = makeStore<{ commands: Command[]; finders: Finder[]; open: boolean }>({
  commands: [],
  finders: [],
  open: false,
});

export function registerCommands(commands: Command[]): () => void {
  const ids = new Set(commands.map((c) => c.id));
  commandStore.set((s) => ({
    commands: [...s.commands.filter((c) => !ids.has(c.id)), ...commands],
  }));
  return () => commandStore.set((s) => ({ commands: s.commands.filter((c) => !ids.has(c.id)) }));
}
export function registerFinder(finder: Finder): () => void {
  commandStore.set((s) => ({
    finders: [...s.finders.filter((f) => f.group !== finder.group), finder],
  }));
  return () => commandStore.set((s) => ({ finders: s.finders.filter((f) => f !== finder) }));
}
/** Commands that exist while the screen stands. */
export function useCommands(commands: Command[]): void {
  const signature = commands.map((c) => c.id + c.title).join('|');
  // eslint-disable-next-line -- the signature stands for the list
  useEffect(() => registerCommands(commands), [signature]);
}
export const openPalette = (): void => commandStore.set({ open: true });
