import { IconDialpad, IconMessageCircle, IconPhone, IconUser } from '@tabler/icons-react';
import { CountBadge, lazyScreen, setUnread, t, usePath } from '#ui';
import { Suspense, useEffect } from 'react';
import { Mark } from './Mark.tsx';
import { useNumbers } from './use-numbers.ts';
import css from './Frame.module.css';

const places = [
  { href: '/caddy/', label: () => t('Messages'), Icon: IconMessageCircle, under: '/caddy/threads' },
  { href: '/caddy/calls', label: () => t('Calls'), Icon: IconDialpad, under: '/caddy/calls' },
  { href: '/caddy/numbers', label: () => t('Numbers'), Icon: IconPhone, under: '/caddy/numbers' },
  { href: '/caddy/account', label: () => t('Account'), Icon: IconUser, under: '/caddy/account' },
] as const;

/** Loaded once there is a number that can ring. */
const CallSheet = lazyScreen(() => import('./calls/CallSheet.tsx'));

/** The signed-in frame: places at the bottom of a phone, at the side of a wide window. */
export function Frame({ children }: { children: React.ReactNode }) {
  const path = usePath();
  const { active } = useNumbers();
  const unread = (active ?? []).reduce((sum, number) => sum + number.unread, 0);
  useEffect(() => {
    setUnread(unread);
    // The installed app's icon, where the system shows one.
    void navigator.setAppBadge?.(unread).catch(() => {});
  }, [unread]);
  const isThread = /^\/caddy\/threads\/\d/.test(path);
  return (
    <div className={css.frame} data-thread={isThread || undefined}>
      <nav className={css.places} aria-label={t('Main')}>
        <a href="/caddy/" className={css.mark} aria-label="Caddy">
          <Mark />
          <span aria-hidden>Caddy</span>
        </a>
        {places.map(({ href, label, Icon, under }) => (
          <a
            key={href}
            href={href}
            className={css.place}
            aria-current={path === href || path.startsWith(under) ? 'page' : undefined}
          >
            <Icon size={22} stroke={1.75} aria-hidden />
            {label()}
            {href === '/caddy/' && (
              <span className={css.count}>
                <CountBadge
                  count={unread}
                  label={t('{n, plural, one {# unread} other {# unread}}', { n: unread })}
                />
              </span>
            )}
          </a>
        ))}
      </nav>
      <main className={css.main}>{children}</main>
      {active && active.length > 0 && (
        <Suspense>
          <CallSheet />
        </Suspense>
      )}
    </div>
  );
}
