import { IconPhone, IconUser } from '@tabler/icons-react';
import { t, usePath } from '#ui';
import { Mark } from './Mark.tsx';
import css from './Frame.module.css';

const places = [
  { href: '/caddy/', label: () => t('Numbers'), Icon: IconPhone, under: '/caddy/numbers' },
  { href: '/caddy/account', label: () => t('Account'), Icon: IconUser, under: '/caddy/account' },
] as const;

/** The signed-in frame: places at the bottom of a phone, at the side of a wide window. */
export function Frame({ children }: { children: React.ReactNode }) {
  const path = usePath();
  return (
    <div className={css.frame}>
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
          </a>
        ))}
      </nav>
      <main className={css.main}>{children}</main>
    </div>
  );
}
