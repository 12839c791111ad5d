import { t, usePath, useSession } from '#ui';
import { screens } from '../../app/routes.tsx';
import css from '#ui/components/tabs.module.css';

const tabs: [path: string, label: string][] = [
  ['/contacts', 'Contacts'],
  ['/contacts/groups', 'Groups'],
  ['/contacts/labels', 'Labels'],
  ['/contacts/import', 'Import'],
];

/** The screens beside the list of contacts. Stands first under the title: `filters={<><ContactsTabs />…</>}`. */
export function ContactsTabs() {
  const path = usePath();
  const permissions = useSession((s) => s.user?.permissions ?? null);
  const open = tabs.filter(([to]) =>
    screens.some((s) => s.path === to && (!s.permission || s.permission in (permissions ?? {}))),
  );
  return (
    <nav className={css.tabs} aria-label={t('Contacts sections')}>
      {open.map(([to, label]) => (
        <a key={to} href={to} aria-current={path === to ? 'page' : undefined}>
          {t(label)}
        </a>
      ))}
    </nav>
  );
}
