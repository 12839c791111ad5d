import { t, usePath, useSession } from '#ui';
import { tabsOf } from '../../shared/declared-screens.ts';
import css from '#ui/components/tabs.module.css';

/**
 * Tabs of the numbers section, limited to the screens that the user may open. Null when there is
 * only one. Goes first in a page's filters: `filters={<><NumbersTabs />…</>}`.
 */
export function NumbersTabs() {
  const path = usePath();
  const permissions = useSession((s) => s.user?.permissions ?? null);
  const open = tabsOf('numbers', (permission) => permission in (permissions ?? {}));
  if (open.length < 2) return null;
  return (
    <nav className={css.tabs} aria-label={t('Numbers sections')}>
      {open.map(({ path: to, label }) => (
        <a key={to} href={to} aria-current={path === to ? 'page' : undefined}>
          {label()}
        </a>
      ))}
    </nav>
  );
}
