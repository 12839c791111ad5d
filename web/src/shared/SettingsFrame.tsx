import { Fragment, useEffect, useRef } from 'react';
import { Page, scrollTabIntoView, t, usePath, useSession } from '#ui';
import type { SettingsGroup } from '../features/feature.ts';
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
  // The most exact one: the list of companies is above the other pages of an organization.
  const current = open
    .filter(({ path: to }) => path === to || path.startsWith(`${to}/`))
    .toSorted((a, b) => b.path.length - a.path.length)[0]?.path;
  const groups: [SettingsGroup | undefined, string][] =
    row === 'organization'
      ? [[undefined, '']]
      : [
          ['you', t('You')],
          ['company', t('Company')],
          ['people', t('People')],
          ['data', t('Your data')],
        ];
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
        {groups.map(([group, heading]) => {
          const tabs = open.filter((tab) => tab.group === group);
          return tabs.length === 0 ? null : (
            <Fragment key={heading}>
              {heading && <h2>{heading}</h2>}
              {tabs.map(({ path: to, label }) => (
                <a key={to} href={to} aria-current={to === current ? 'page' : undefined}>
                  {label()}
                </a>
              ))}
            </Fragment>
          );
        })}
      </nav>
      <div className={css.page}>
        <Page {...page} />
      </div>
    </div>
  );
}
