import { useEffect, useRef } from 'react';
import { Page, scrollTabIntoView, t, usePath, useSession } from '#ui';
import { tabsOf } from './declared-screens.ts';
import css from './SettingsFrame.module.css';

/** A settings page with the list of sections beside it; `row`: the organization's instead. */
export function SettingsFrame({
  row = 'settings',
  ...page
}: React.ComponentProps<typeof Page> & { row?: 'settings' | 'organization' }) {
  const path = usePath();
  const permissions = useSession((s) => s.user?.permissions ?? null);
  const open = tabsOf(row, (permission) => permission in (permissions ?? {}));
  const nav = useRef<HTMLElement>(null);
  useEffect(
    () =>
      nav.current
        ?.querySelectorAll<HTMLElement>('[aria-current="page"]')
        .forEach(scrollTabIntoView),
    [path],
  );
  return (
    <div className={css.frame} data-layout={page.layout}>
      <nav
        ref={nav}
        className={css.nav}
        aria-label={row === 'settings' ? t('Settings') : t('Organization')}
      >
        {open.map(({ path: to, label }) => (
          <a
            key={to}
            href={to}
            aria-current={path === to || path.startsWith(`${to}/`) ? 'page' : undefined}
          >
            {label()}
          </a>
        ))}
      </nav>
      <div className={css.page}>
        <Page {...page} />
      </div>
    </div>
  );
}
