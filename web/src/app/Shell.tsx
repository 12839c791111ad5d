import { useEffect, useState } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { CommandPalette, CountBadge, Drawer, formatNumber, go, KeyboardHelp, openPalette, registerCommands, setUnread, shownKeys, t, useLiveState, usePath, useSession, useShortcuts } from '#ui';
import { AdminBanner, DemoBanner } from './Banners.tsx';
import { CompanySwitcher } from './CompanySwitcher.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { PhoneOverlaySlot, PhoneSlot } from './PhoneSlot.tsx';
import { registerFinders } from './finders.ts';
import { startMuted } from '../features/notifications/muted.ts';
import { startKeywordNews } from '../features/numbers/keyword-news.ts';
import { startTeamNews } from '../features/conversations/team/team-news.ts';
import { startNotifying } from './notify.ts';
import { isWithin, railFor, type ShownEntry } from './rail.ts';
import { screens } from './routes.tsx';
import { useUnread } from './unread.ts';
import css from './Shell.module.css';


/** The frame: rail on the left with the phone at its foot; on a telephone screen a bar at the bottom. */
export function Shell({ children }: { children: React.ReactNode }) {
  const path = usePath();
  const permissions = useSession((s) => s.user?.permissions);
  const entries = railFor((key) => key in (permissions ?? {}));
  const unread = useUnread();
  const narrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [menu, setMenu] = useState(false);
  useEffect(() => setUnread(unread), [unread]);
  useEffect(() => setMenu(false), [path]);
  useEffect(registerFinders, []);
  useEffect(startNotifying, []);
  useEffect(startKeywordNews, []);
  useEffect(startTeamNews, []);
  useEffect(startMuted, []);
  useShortcuts(entries.filter((e) => e.keys).map((e) => ({ keys: e.keys!, label: t('Go to {screen}', { screen: t(e.label) }), group: t('Go to'), run: () => go(e.href) })));
  const names = entries.map((e) => e.key).join();
  useEffect(() => registerCommands([
    ...entries.map((e) => ({ id: `go.${e.key}`, title: t(e.label), group: t('Go to'), href: e.href, icon: <e.icon size={16} stroke={1.75} /> })),
    ...screenCommands((key) => key in (permissions ?? {})),
  ]), [names]);

  const rail = (
    <>
      <CompanySwitcher />
      <button type="button" className={css.find} onClick={openPalette} data-tour="find">
        <IconSearch size={16} aria-hidden /><span>{t('Find anything')}</span><kbd aria-hidden>{shownKeys('mod+k').join(' ')}</kbd>
      </button>
      <nav aria-label={t('Main')} className={css.nav}>
        {entries.map((e) => <Entry key={e.key} entry={e} path={path} unread={unread} />)}
      </nav>
      <div className={css.foot}>
        <div data-tour="phone"><PhoneSlot /></div>
        <Connection />
        <PersonMenu />
      </div>
    </>
  );

  return (
    <div className={css.frame}>
      <a className={css.skip} href="#main">{t('Skip to content')}</a>
      <DemoBanner />
      <AdminBanner />
      <div className={css.middle}>
        {!narrow && <div className={css.rail}>{rail}</div>}
        <main id="main" className={css.main} tabIndex={0} aria-label={t('Content')}>{children}</main>
      </div>
      {narrow && (
        <nav className={css.bottom} aria-label={t('Main')}>
          {entries.filter((e) => ['inbox', 'activity', 'numbers', 'home'].includes(e.key)).map((e) => (
            <a key={e.key} href={e.href} className={css.tab} aria-current={isWithin(path, e.within) ? 'page' : undefined}>
              <e.icon size={20} stroke={1.75} aria-hidden /><span>{t(e.label)}</span>
              {e.counts && <span className={css.tabCount}><CountBadge count={unread} label={t('{n} unread', { n: unread })} /></span>}
            </a>
          ))}
          <button type="button" className={css.tab} onClick={() => setMenu(true)} aria-expanded={menu}><IconMenu2 size={20} stroke={1.75} aria-hidden /><span>{t('More')}</span></button>
        </nav>
      )}
      {narrow && <Drawer opened={menu} onClose={() => setMenu(false)} size={280} title={t('Menu')} closeButtonProps={{ 'aria-label': t('Close') }}><div className={css.drawer}>{rail}</div></Drawer>}
      <PhoneOverlaySlot />
      <CommandPalette />
      <KeyboardHelp />
    </div>
  );
}

function Entry({ entry, path, unread }: { entry: ShownEntry; path: string; unread: number }) {
  const current = isWithin(path, entry.within);
  return (
    <a href={entry.href} className={css.entry} data-tour={entry.key} aria-current={current ? 'page' : undefined}>
      <entry.icon size={18} stroke={1.75} aria-hidden /><span>{t(entry.label)}</span>
      {entry.counts === 'unread' && <CountBadge count={unread} label={t('{n} unread', { n: formatNumber(unread) })} />}
    </a>
  );
}

/** Says so when live news stop coming; silent while all is well. */
function Connection() {
  const state = useLiveState();
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (state !== 'lost') return setLate(false);
    const timer = setTimeout(() => setLate(true), 2500);
    return () => clearTimeout(timer);
  }, [state]);
  return <div role="status" className={css.connection}>{late && t('Reconnecting …')}</div>;
}

/** Screens one floor down, for the command palette: those that exist and that this person may see. */
const screenCommands = (may: (permission: string) => boolean) => {
  const titles: Record<string, string> = {
    '/settings/company': 'Company settings', '/settings/general': 'General settings', '/settings/carriers': 'Carriers', '/settings/users': 'Users', '/settings/blocked': 'Blocked numbers', '/settings/sms-verification': 'SMS verification', '/whats-new': 'What’s new', '/calls/live': 'Live calls',
    '/numbers/buy': 'Buy a number', '/numbers/templates': 'Number templates', '/numbers/forwarding': 'Forwarding numbers', '/numbers/greetings': 'Greetings', '/numbers/schedule': 'Business hours', '/numbers/ports': 'Port requests', '/marketplace': 'Marketplace numbers',
  };
  return screens.filter((s) => s.path in titles && (!s.may || may(s.may))).map((s) => ({ id: `go.${s.path}`, title: t(titles[s.path]!), group: t('Go to'), href: s.path }));
};
