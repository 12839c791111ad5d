import { t, usePath, useSession } from '#ui';
import { tabsOf } from '../../shared/declared-screens.ts';
import css from '#ui/components/tabs.module.css';

/** Tabs of the tracking section, limited to the screens that the user can open; null for one. */
export function TrackingTabs() {
  const path = usePath();
  const permissions = useSession((s) => s.user?.permissions ?? null);
  const open = tabsOf('tracking', (permission) => permission in (permissions ?? {}));
  if (open.length < 2) return null;
  return (
    <nav className={css.tabs} aria-label={t('Tracking sections')}>
      {open.map(({ path: to, label }) => (
        <a key={to} href={to} aria-current={path === to ? 'page' : undefined}>
          {label()}
        </a>
      ))}
    </nav>
  );
}
