import { useEffect } from 'react';
import { createStore } from './store.ts';

/** One entry of the command palette: `href` or `run`. */
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
/** Searches for the typed text (conversations, numbers, people); resolves to a few results. */
export interface SearchProvider {
  group: string;
  search: (query: string, signal: AbortSignal) => Promise<Command[]>;
}

export const commandStore = createStore<{
  commands: Command[];
  searchProviders: SearchProvider[];
  open: boolean;
}>({
  commands: [],
  searchProviders: [],
  open: false,
});

/** Adds commands to the palette, replacing those of the same ID. Returns their removal. */
export function registerCommands(commands: Command[]): () => void {
  const ids = new Set(commands.map((c) => c.id));
  commandStore.set((s) => ({
    commands: [...s.commands.filter((c) => !ids.has(c.id)), ...commands],
  }));
  return () => commandStore.set((s) => ({ commands: s.commands.filter((c) => !ids.has(c.id)) }));
}
/** Adds a search to the palette, replacing the one of the same group. Returns its removal. */
export function registerSearchProvider(provider: SearchProvider): () => void {
  commandStore.set((s) => ({
    searchProviders: [...s.searchProviders.filter((f) => f.group !== provider.group), provider],
  }));
  return () =>
    commandStore.set((s) => ({ searchProviders: s.searchProviders.filter((f) => f !== provider) }));
}
/** Registers commands while the screen is mounted. */
export function useCommands(commands: Command[]): void {
  const dependencyKey = commands.map((c) => c.id + c.title).join('|');
  // eslint-disable-next-line -- the signature stands for the list
  useEffect(() => registerCommands(commands), [dependencyKey]);
}
/** Opens the command palette. */
export const openPalette = (): void => commandStore.set({ open: true });
