import { features, screens } from '../features/index.ts';
import type { NavEntry } from '../features/feature.ts';

const navEntries = features
  .flatMap((feature) => feature.navigation ?? [])
  .sort((a, b) => a.order - b.order);

export interface VisibleNavEntry extends Omit<NavEntry, 'to' | 'label' | 'order'> {
  label: string;
  href: string;
}

/** The entries that the person may see, with their URLs. */
export function visibleNavEntries(may: (permission: string) => boolean): VisibleNavEntry[] {
  return navEntries.flatMap(({ to, label, order: _, ...entry }) => {
    const open = to
      .map((path) => screens.find((s) => s.path === path))
      .find((s) => s && (!s.permission || may(s.permission)));
    return open
      ? [
          {
            ...entry,
            label: label(),
            href: open.path.replace(/\/\{-\$\w+\}/, '').replace('$kind', 'calls'),
          },
        ]
      : [];
  });
}

/** Whether a path is this one or below it; `/` holds only itself. */
export const isUnder = (path: string, within: string): boolean =>
  within === '/' ? path === '/' : path === within || path.startsWith(`${within}/`);
