import { t, usePath, useSession } from '#ui';
import { screens } from '../../app/routes.tsx';
import css from '#ui/components/tabs.module.css';

const tabs: [path: string, label: string][] = [
  ['/numbers', 'Numbers'],
  ['/numbers/templates', 'Templates'],
  ['/numbers/forwarding', 'Forwarding'],
  ['/numbers/greetings', 'Greetings'],
  ['/numbers/schedule', 'Schedule'],
  ['/numbers/ports', 'Ports'],
  ['/marketplace', 'Marketplace'],
];

/** The screens beside the list of numbers that exist and that one may see. Stands first under the title: `filters={<><NumbersTabs />…</>}`. */
export function NumbersTabs() {
  const path = usePath();
  const permissions = useSession((s) => s.user?.permissions ?? null);
  const open = tabs.filter(([to]) =>
    screens.some((s) => s.path === to && (!s.permission || s.permission in (permissions ?? {}))),
  );
  if (open.length < 2) return null;
  return (
    <nav className={css.tabs} aria-label={t('Numbers sections')}>
      {open.map(([to, label]) => (
        <a key={to} href={to} aria-current={path === to ? 'page' : undefined}>
          {t(label)}
        </a>
      ))}
    </nav>
  );
}
