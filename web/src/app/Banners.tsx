import { companies } from '#contract';
import { t, useApiQuery, useSession } from '#ui';
import css from './Banners.module.css';

/** On every screen in demo mode: what is simulated. */
export function DemoBanner() {
  const { response } = useApiQuery(companies.demoPeople, {}, { staleTime: Infinity, silent: true });
  if (!response?.data?.length) return null;
  return (
    <aside className={css.banner} aria-label={t('Demo')}>
      <span>{t('Demo: carriers, cards and emails are simulated.')}</span>
      <span className={css.links}>
        <a href="/what-is-simulated">{t('What is simulated')}</a>
        <a href="/handset" data-tour="handset" target="_blank" rel="noreferrer">
          {t('Open the handset')}
        </a>
      </span>
    </aside>
  );
}

/** Shown while platform staff are in admin mode (A4). */
export function AdminBanner() {
  const isAdmin = useSession((s) => s.isAdmin && s.user !== null);
  if (!isAdmin) return null;
  return (
    <aside className={css.banner} data-admin aria-label={t('Admin mode')}>
      <span>{t('Admin mode: you can act across companies. Everything you do is logged.')}</span>
    </aside>
  );
}
