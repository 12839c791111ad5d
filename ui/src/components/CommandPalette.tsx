import { lazy, Suspense } from 'react';
import { commandStore, openPalette } from '../commands.ts';
import { useShortcuts } from '../shortcuts.ts';
import { useStore } from '../store.ts';
import { t } from '../i18n.ts';

const Window = lazy(() => import('./PaletteWindow.tsx'));

/** Command palette (⌘/Ctrl-K). Its window is loaded when first opened. */
export function CommandPalette() {
  const open = useStore(commandStore, (s) => s.open);
  useShortcuts([
    { keys: 'mod+k', label: t('Find anything'), group: t('Everywhere'), run: openPalette },
  ]);
  return <Suspense fallback={null}>{open && <Window />}</Suspense>;
}
