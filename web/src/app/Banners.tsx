import { lazy, Suspense } from 'react';
import { companies } from '#contract';
import { t, Time, useApiQuery, useCompanyId, usePermission, useSession, useUser } from '#ui';
import css from '#ui/components/Banners.module.css';

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

/** The status of a company that can't send. */
const PARKED = 1;
const RareBanners = lazy(() => import('./RareBanners.tsx'));
const PastDueBanner = lazy(() => import('./PastDueBanner.tsx'));

/** Of admin mode, a remote login and a parked company: loaded only where one of them stands. */
export function StatusBanners() {
  const companyId = useCompanyId();
  const user = useUser();
  const shows = {
    admin: useSession((s) => s.isAdmin && s.user !== null),
    remote: user?.support_access?.kind === 'remote',
    parked: user?.companies.find(({ id }) => id === companyId)?.status === PARKED,
  };
  return shows.admin || shows.remote || shows.parked ? (
    <Suspense fallback={null}>
      <RareBanners {...shows} />
    </Suspense>
  ) : null;
}

/** Loaded for people who see billing. */
export function BillingBanner() {
  return usePermission('billing.view') ? (
    <Suspense fallback={null}>
      <PastDueBanner />
    </Suspense>
  ) : null;
}

/** For the company's administrators: platform staff who are in it now. */
export function PlatformAccessBanner() {
  const companyId = useCompanyId();
  const isStaff = useSession((s) => s.isAdmin);
  // In a person's place, the banner of the remote login says it.
  const isRemote = useSession((s) => s.remote !== null);
  const mayEdit = usePermission('company.edit');
  const { response } = useApiQuery(
    companies.getCompany,
    { params: { id: companyId ?? 0 } },
    { enabled: companyId !== null && mayEdit && !isStaff && !isRemote, silent: true },
  );
  const now = Date.now();
  const there = response?.data.platform_access.filter((one) => Date.parse(one.until) > now) ?? [];
  // Who is in it in several browsers for one reason has one line: the last that ends.
  const staff = new Map(
    there
      .toSorted((a, b) => a.until.localeCompare(b.until))
      .map((one) => [`${one.name} ${one.may_write} ${one.reason}`, one]),
  );
  return [...staff].map(([key, { name, reason, until, may_write }]) => (
    <aside key={key} className={css.banner} data-admin aria-label={t('Support access')}>
      <span>
        {may_write
          ? t('{name} from support can read and change this company: {reason}', { name, reason })
          : t('{name} from support can read this company: {reason}', { name, reason })}{' '}
        · {t('until')} <Time at={until} />
      </span>
      <span className={css.links}>
        <a href="/settings/audit-log">{t('Audit log')}</a>
      </span>
    </aside>
  ));
}
