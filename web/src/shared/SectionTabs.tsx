import { usePath, useSession } from '#ui';
import css from '#ui/components/tabs.module.css';
import type { TabRow } from '../features/feature.ts';
import { tabsOf } from './declared-screens.ts';

/**
 * Tabs of a section, limited to the screens that the user can open; null for only one. Goes first in
 * a page's filters: `filters={<><ContactsTabs />…</>}`.
 */
export function SectionTabs({
  row,
  label: name,
}: {
  row: Exclude<TabRow, 'settings'>;
  label: string;
}) {
  const path = usePath();
  const permissions = useSession((s) => s.user?.permissions ?? null);
  const open = tabsOf(row, (permission) => permission in (permissions ?? {}));
  if (open.length < 2) return null;
  return (
    <nav className={css.tabs} aria-label={name}>
      {open.map(({ path: to, label }) => (
        <a key={to} href={to} aria-current={path === to ? 'page' : undefined}>
          {label()}
        </a>
      ))}
    </nav>
  );
}
