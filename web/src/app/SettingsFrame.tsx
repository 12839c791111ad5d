import { useEffect, useRef } from 'react';
import { Page, scrollTabIntoView, t, usePath, useSession } from '#ui';
import { screens } from './routes.tsx';
import css from './SettingsFrame.module.css';

const sections: [path: string, label: string][] = [
  ['/settings/company', 'Company'],
  ['/settings/general', 'General'],
  ['/settings/carriers', 'Carriers'],
  ['/settings/notifications', 'Notifications'],
  ['/settings/users', 'Users'],
  ['/settings/invitations', 'Invitations'],
  ['/settings/tags', 'Tags'],
  ['/settings/custom-fields', 'Custom fields'],
  ['/settings/canned-replies', 'Canned replies'],
  ['/settings/blocked', 'Blocked numbers'],
  ['/settings/api-keys', 'API keys'],
  ['/settings/security', 'Security'],
  ['/settings/billing', 'Billing'],
  ['/settings/billing-contacts', 'Billing contacts'],
  ['/settings/subscription', 'Subscription'],
  ['/settings/sms-verification', 'SMS verification'],
  ['/settings/features', 'Features'],
  ['/settings/column-presets', 'Column presets'],
];

/** A settings screen: the sections that exist beside it, then the page. */
export function SettingsFrame(page: React.ComponentProps<typeof Page>) {
  const path = usePath();
  const permissions = useSession((s) => s.user?.permissions ?? null);
  const open = sections.filter(([to]) =>
    screens.some((s) => s.path === to && (!s.permission || s.permission in (permissions ?? {}))),
  );
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
      <nav ref={nav} className={css.nav} aria-label={t('Settings')}>
        {open.map(([to, label]) => (
          <a
            key={to}
            href={to}
            aria-current={path === to || path.startsWith(`${to}/`) ? 'page' : undefined}
          >
            {t(label)}
          </a>
        ))}
      </nav>
      <div className={css.page}>
        <Page {...page} />
      </div>
    </div>
  );
}
