import { t, usePath, useSession } from '#ui';
import { tabsOf } from '../index.ts';
import css from '#ui/components/tabs.module.css';

/** The screens beside the list of numbers that exist and that one may see. Stands first under the title: `filters={<><NumbersTabs />…</>}`. */
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
