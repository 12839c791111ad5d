import { t, usePath, useSession } from '#ui';
import { tabsOf } from '../../shared/declared-screens.ts';
import css from '#ui/components/tabs.module.css';

/**
 * Tabs of the contact screens. Place it first under the title: `filters={<><ContactsTabs />…</>}`.
 */
export function ContactsTabs() {
  const path = usePath();
  const permissions = useSession((s) => s.user?.permissions ?? null);
  const open = tabsOf('contacts', (permission) => permission in (permissions ?? {}));
  return (
    <nav className={css.tabs} aria-label={t('Contacts sections')}>
      {open.map(({ path: to, label }) => (
        <a key={to} href={to} aria-current={path === to ? 'page' : undefined}>
          {label()}
        </a>
      ))}
    </nav>
  );
}
