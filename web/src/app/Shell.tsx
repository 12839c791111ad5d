import { lazy, Suspense, useEffect, useState } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import {
  CommandPalette,
  CountBadge,
  Drawer,
  formatNumber,
  navigate,
  KeyboardHelp,
  lastPermissions,
  openPalette,
  registerCommands,
  setUnread,
  formatKeys,
  t,
  usePath,
  useSession,
  useShortcuts,
} from '#ui';
import { features } from '../features/index.ts';
import { secondLevelScreens } from '../shared/declared-screens.ts';
import { DemoBanner, PlatformAccessBanner, StatusBanners, BillingBanner } from './Banners.tsx';
import { CompanySwitcher } from './CompanySwitcher.tsx';
import { ConnectionStatus } from './ConnectionStatus.tsx';
import { UserMenu } from './UserMenu.tsx';
import { registerPaletteSearch } from './palette-search.ts';
import { isUnder, visibleNavEntries, type VisibleNavEntry } from './navigation.ts';
import { useUnread } from './use-unread-count.ts';
import css from './Shell.module.css';

const AlertCount = lazy(() => import('./AlertCount.tsx'));
const BrandLogo = lazy(() => import('./BrandLogo.tsx'));

/** The frame: a rail on the left with the phone at the bottom; on narrow screens, a bottom bar. */
export function Shell({ children }: { children: React.ReactNode }) {
  const path = usePath();
  const permissions = useSession((s) => s.user?.permissions);
  const may = (key: string): boolean =>
    permissions ? key in permissions : lastPermissions().includes(key);
  const entries = visibleNavEntries(may);
  const unread = useUnread();
  const narrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [menu, setMenu] = useState(false);
  useEffect(() => setUnread(unread), [unread]);
  useEffect(() => setMenu(false), [path]);
  useEffect(registerPaletteSearch, []);
  useEffect(startListeners, []);
  useNavCommands(entries, may);

  const rail = <Rail entries={entries} path={path} unread={unread} />;
  return (
    <div className={css.frame}>
      <a className={css.skip} href="#main">
        {t('Skip to content')}
      </a>
      <DemoBanner />
      <StatusBanners />
      <BillingBanner />
      <PlatformAccessBanner />
      <div className={css.middle}>
        {!narrow && <div className={css.rail}>{rail}</div>}
        <main id="main" className={css.main} tabIndex={0} aria-label={t('Content')}>
          {children}
        </main>
      </div>
      {narrow && (
        <>
          <ConnectionStatus narrow />
          <BottomBar
            entries={entries}
            path={path}
            unread={unread}
            menuOpen={menu}
            openMenu={() => setMenu(true)}
          />
          <Drawer
            opened={menu}
            onClose={() => setMenu(false)}
            size={280}
            title={t('Menu')}
            closeButtonProps={{ 'aria-label': t('Close') }}
          >
            <div className={css.drawer}>{rail}</div>
          </Drawer>
        </>
      )}
      {features.map(({ overlay: Overlay }, at) => Overlay && <Overlay key={at} />)}
      <CommandPalette />
      <KeyboardHelp />
    </div>
  );
}

/** Shortcuts and palette commands that open the screens. */
function useNavCommands(
  entries: readonly VisibleNavEntry[],
  may: (permission: string) => boolean,
): void {
  useShortcuts(
    entries.flatMap(({ shortcut, label, href }) =>
      shortcut
        ? {
            keys: shortcut,
            label: t('Go to {screen}', { screen: label }),
            group: t('Go to'),
            run: () => navigate(href),
          }
        : [],
    ),
  );
  const screens = secondLevelScreens(may);
  const places = [...entries.map((e) => e.href), ...screens.map((s) => s.path)].join();
  useEffect(() => {
    const register = (words: Record<string, string> = {}) =>
      registerCommands([
        ...entries.map((e) => ({
          id: `go.${e.key}`,
          title: e.label,
          group: t('Go to'),
          href: e.href,
          icon: <e.icon size={16} stroke={1.75} />,
        })),
        ...screens.map(({ path: to, title }) => ({
          id: `go.${to}`,
          title,
          keywords: [words[to] ?? ''],
          group: t('Go to'),
          href: to,
        })),
      ]);
    const remove = register();
    let isGone = false;
    // Without them the titles are enough until the next load.
    void import('./palette-words.ts').then(
      ({ paletteWords }) => isGone || register(paletteWords()),
      () => undefined,
    );
    return () => {
      isGone = true;
      remove();
    };
    // oxlint-disable-next-line exhaustive-deps -- both lists are made anew at each render; `places` says what is in them
  }, [places]);
}

interface NavProps {
  entries: readonly VisibleNavEntry[];
  path: string;
  unread: number;
}

function Rail({ entries, path, unread }: NavProps) {
  return (
    <>
      <Suspense>
        <BrandLogo />
      </Suspense>
      <CompanySwitcher />
      <button type="button" className={css.find} onClick={openPalette} data-tour="find">
        <IconSearch size={16} aria-hidden />
        <span>{t('Find anything')}</span>
        <kbd aria-hidden>{formatKeys('mod+k').join(' ')}</kbd>
      </button>
      <nav aria-label={t('Main')} className={css.nav}>
        {entries.map((e) => (
          <NavItem key={e.key} entry={e} path={path} unread={unread} />
        ))}
      </nav>
      <div className={css.foot}>
        <div data-tour="phone">
          {features.map(({ dock: Dock }, at) => Dock && <Dock key={at} />)}
        </div>
        <ConnectionStatus />
        <UserMenu />
      </div>
    </>
  );
}

/** The navigation of narrow screens: the main screens, and the button that opens the rail. */
function BottomBar({
  entries,
  path,
  unread,
  menuOpen,
  openMenu,
}: NavProps & { menuOpen: boolean; openMenu: () => void }) {
  return (
    <nav className={css.bottom} aria-label={t('Main')}>
      {entries
        .filter((e) => ['inbox', 'activity', 'numbers', 'home'].includes(e.key))
        .map((e) => (
          <a
            key={e.key}
            href={e.href}
            className={css.tab}
            aria-current={isUnder(path, e.pathPrefix) ? 'page' : undefined}
          >
            <e.icon size={20} stroke={1.75} aria-hidden />
            <span>{e.label}</span>
            {e.badge === 'unread' && (
              <span className={css.tabCount}>
                <CountBadge count={unread} label={t('{n} unread', { n: unread })} />
              </span>
            )}
          </a>
        ))}
      <button type="button" className={css.tab} onClick={openMenu} aria-expanded={menuOpen}>
        <IconMenu2 size={20} stroke={1.75} aria-hidden />
        <span>{t('More')}</span>
      </button>
    </nav>
  );
}

/** Starts the features' listeners while someone is signed in; returns their cleanup. */
function startListeners(): () => void {
  const stops = features.flatMap((feature) => feature.listeners ?? []).map((start) => start());
  return () => stops.forEach((stop) => stop());
}

function NavItem({
  entry,
  path,
  unread,
}: {
  entry: VisibleNavEntry;
  path: string;
  unread: number;
}) {
  const current = isUnder(path, entry.pathPrefix);
  return (
    <a
      href={entry.href}
      className={css.entry}
      data-tour={entry.key}
      aria-current={current ? 'page' : undefined}
    >
      <entry.icon size={18} stroke={1.75} aria-hidden />
      <span>{entry.label}</span>
      {entry.badge === 'unread' && (
        <CountBadge count={unread} label={t('{n} unread', { n: formatNumber(unread) })} />
      )}
      <Suspense>{entry.badge === 'alerts' && <AlertCount />}</Suspense>
    </a>
  );
}
