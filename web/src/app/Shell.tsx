import { useEffect, useState } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import {
  CommandPalette,
  CountBadge,
  Drawer,
  formatNumber,
  go,
  KeyboardHelp,
  lastPermissions,
  openPalette,
  registerCommands,
  setUnread,
  shownKeys,
  t,
  useLiveState,
  useMay,
  usePath,
  useSession,
  useShortcuts,
} from '#ui';
import { AdminBanner, DemoBanner } from './Banners.tsx';
import { CompanySwitcher } from './CompanySwitcher.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { PhoneOverlaySlot, PhoneSlot } from './PhoneSlot.tsx';
import { registerFinders } from './finders.ts';
import { startMuted } from '../features/notifications/muted.ts';
import { startKeywordNews } from '../features/numbers/keyword-news.ts';
import { startTeamNews } from '../features/conversations/team/team-news.ts';
import { startNotifying } from './notify.ts';
import { isWithin, railFor, screensBelow, type ShownEntry } from './rail.ts';
import { useUnread } from './unread.ts';
import css from './Shell.module.css';

/** The frame: rail on the left with the phone at its foot; on a telephone screen a bar at the bottom. */
export function Shell({ children }: { children: React.ReactNode }) {
  const path = usePath();
  const permissions = useSession((s) => s.user?.permissions);
  const may = (key: string): boolean =>
    permissions ? key in permissions : lastPermissions().includes(key);
  const entries = railFor(may);
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
  useShortcuts(
    entries
      .filter((e) => e.keys)
      .map((e) => ({
        keys: e.keys!,
        label: t('Go to {screen}', { screen: t(e.label) }),
        group: t('Go to'),
        run: () => go(e.href),
      })),
  );
  const names = entries.map((e) => e.key).join();
  useEffect(
    () =>
      registerCommands([
        ...entries.map((e) => ({
          id: `go.${e.key}`,
          title: t(e.label),
          group: t('Go to'),
          href: e.href,
          icon: <e.icon size={16} stroke={1.75} />,
        })),
        ...screensBelow(may).map(({ path: to, title }) => ({
          id: `go.${to}`,
          title,
          group: t('Go to'),
          href: to,
        })),
      ]),
    [names],
  );

  const rail = (
    <>
      <CompanySwitcher />
      <button type="button" className={css.find} onClick={openPalette} data-tour="find">
        <IconSearch size={16} aria-hidden />
        <span>{t('Find anything')}</span>
        <kbd aria-hidden>{shownKeys('mod+k').join(' ')}</kbd>
      </button>
      <nav aria-label={t('Main')} className={css.nav}>
        {entries.map((e) => (
          <Entry key={e.key} entry={e} path={path} unread={unread} />
        ))}
      </nav>
      <div className={css.foot}>
        <div data-tour="phone">
          <PhoneSlot />
        </div>
        <Connection />
        <PersonMenu />
      </div>
    </>
  );

  return (
    <div className={css.frame}>
      <a className={css.skip} href="#main">
        {t('Skip to content')}
      </a>
      <DemoBanner />
      <AdminBanner />
      <div className={css.middle}>
        {!narrow && <div className={css.rail}>{rail}</div>}
        <main id="main" className={css.main} tabIndex={0} aria-label={t('Content')}>
          {children}
        </main>
      </div>
      {narrow && (
        <>
          <Connection narrow />
          <nav className={css.bottom} aria-label={t('Main')}>
            {entries
              .filter((e) => ['inbox', 'activity', 'numbers', 'home'].includes(e.key))
              .map((e) => (
                <a
                  key={e.key}
                  href={e.href}
                  className={css.tab}
                  aria-current={isWithin(path, e.within) ? 'page' : undefined}
                >
                  <e.icon size={20} stroke={1.75} aria-hidden />
                  <span>{t(e.label)}</span>
                  {e.counts && (
                    <span className={css.tabCount}>
                      <CountBadge count={unread} label={t('{n} unread', { n: unread })} />
                    </span>
                  )}
                </a>
              ))}
            <button
              type="button"
              className={css.tab}
              onClick={() => setMenu(true)}
              aria-expanded={menu}
            >
              <IconMenu2 size={20} stroke={1.75} aria-hidden />
              <span>{t('More')}</span>
            </button>
          </nav>
        </>
      )}
      {narrow && (
        <Drawer
          opened={menu}
          onClose={() => setMenu(false)}
          size={280}
          title={t('Menu')}
          closeButtonProps={{ 'aria-label': t('Close') }}
        >
          <div className={css.drawer}>{rail}</div>
        </Drawer>
      )}
      <PhoneOverlaySlot />
      <CommandPalette />
      <KeyboardHelp />
    </div>
  );
}

function Entry({ entry, path, unread }: { entry: ShownEntry; path: string; unread: number }) {
  const current = isWithin(path, entry.within);
  return (
    <a
      href={entry.href}
      className={css.entry}
      data-tour={entry.key}
      aria-current={current ? 'page' : undefined}
    >
      <entry.icon size={18} stroke={1.75} aria-hidden />
      <span>{t(entry.label)}</span>
      {entry.counts === 'unread' && (
        <CountBadge count={unread} label={t('{n} unread', { n: formatNumber(unread) })} />
      )}
    </a>
  );
}

/** Says so when live news stop coming; silent while all is well. On a telephone screen the phone's status is in the menu. */
function Connection({ narrow = false }: { narrow?: boolean }) {
  const mayCall = useMay('calling.use');
  const state = useLiveState();
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (state !== 'lost') return setLate(false);
    const timer = setTimeout(() => setLate(true), 2500);
    return () => clearTimeout(timer);
  }, [state]);
  const said = !narrow
    ? t('Reconnecting …')
    : mayCall
      ? t('Offline – calls won’t ring here')
      : t('You’re offline');
  return (
    <div role="status" className={narrow ? css.strip : css.connection}>
      {late && said}
    </div>
  );
}
