import { IconPhone } from '@tabler/icons-react';
import { EmptyState, Page, t } from '#ui';
import css from './Caddy.module.css';

/** Phone numbers for individuals. It has no screens yet: accounts, catalog and numbers come with them. */
export const Caddy = () => (
  <div className={css.frame}>
    <header className={css.head}>
      <a href="/caddy/" className={css.mark}>
        <span className={css.sign} aria-hidden>
          <IconPhone size={16} stroke={2} />
        </span>
        Caddy
      </a>
    </header>
    <main className={css.main}>
      <Page title={t('Welcome to Caddy')}>
        <EmptyState icon={<IconPhone size={28} stroke={1.5} />} title={t('Caddy isn’t open yet')}>
          {t('You can’t sign up or get a number here yet.')}
        </EmptyState>
      </Page>
    </main>
  </div>
);
