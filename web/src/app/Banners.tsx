import { Anchor } from '@mantine/core';
import { adminMode, companies } from '#contract';
import {
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  usePermission,
  useSession,
  useUser,
} from '#ui';
import { signOut } from '../shared/sign-out.ts';
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

/** For a company that its organization parked: what doesn't work, and who can change it. */
export function ParkedBanner() {
  const companyId = useCompanyId();
  const user = useUser();
  const isAdmin = usePermission('organization.edit');
  const company = user?.companies.find(({ id }) => id === companyId);
  if (company?.status !== PARKED) return null;
  return (
    <aside className={css.banner} data-admin aria-label={t('Parked')}>
      <span>
        {t(
          '{company} is parked. It can’t call, text or fax, and callers hear a message or reach voicemail. Texts still arrive.',
          { company: company.name },
        )}
      </span>
      <span className={css.links}>
        {isAdmin ? (
          <a href="/organization">{t('Reactivate it')}</a>
        ) : (
          t('Ask an administrator of your organization to reactivate it.')
        )}
      </span>
    </aside>
  );
}
/** The status of a company that can't send. */
const PARKED = 1;

/** For platform staff: the admin mode they are in, its second step and the way out. */
export function AdminBanner() {
  const isAdmin = useSession((s) => s.isAdmin && s.user !== null);
  return isAdmin ? <AdminMode /> : null;
}

function AdminMode() {
  const { response } = useApiQuery(adminMode.getAdminMode, {}, { silent: true });
  const options = { invalidates: [adminMode.getAdminMode] };
  const writes = useApiMutation(adminMode.allowAdminWrites, options);
  const leaving = useApiMutation(adminMode.leaveAdminMode, {
    onSuccess: () => window.location.assign('/admin-mode'),
  });
  if (!response) return null;
  const entry = response.data;
  return (
    <aside className={css.banner} data-admin aria-label={t('Admin mode')}>
      {entry ? (
        <>
          <span>
            {entry.may_write
              ? t('Admin mode, with changes: {reason}', { reason: entry.reason })
              : t('Admin mode, reading only: {reason}', { reason: entry.reason })}{' '}
            {t('Until')} <Time at={entry.ends_at} />
          </span>
          <span className={css.links}>
            {!entry.may_write && (
              <Anchor component="button" type="button" fz="xs" onClick={() => void writes.mutate()}>
                {t('Allow changes')}
              </Anchor>
            )}
            <Anchor component="button" type="button" fz="xs" onClick={() => void leaving.mutate()}>
              {t('Leave admin mode')}
            </Anchor>
          </span>
        </>
      ) : (
        <>
          <span>{t('You’re not in admin mode.')}</span>
          <span className={css.links}>
            <a href="/admin-mode">{t('Enter admin mode')}</a>
          </span>
        </>
      )}
    </aside>
  );
}

/** For platform staff in a person's place: whose, why, until when, and the way out. */
export function RemoteBanner() {
  const user = useUser();
  const access = user?.support_access;
  if (!user || access?.kind !== 'remote') return null;
  const { reason } = access;
  return (
    <aside className={css.banner} data-admin aria-label={t('Remote login')}>
      <span>
        {access.may_write
          ? t('You act as {name}, with changes: {reason}', { name: user.name, reason })
          : t('You act as {name}, reading only: {reason}', { name: user.name, reason })}{' '}
        {t('Until')} <Time at={access.ends_at} />
      </span>
      <span className={css.links}>
        <Anchor component="button" type="button" fz="xs" onClick={() => void signOut()}>
          {t('End remote login')}
        </Anchor>
      </span>
    </aside>
  );
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
  const staff = response?.data.platform_access.filter((one) => Date.parse(one.until) > now) ?? [];
  return staff.map(({ name, reason, until, may_write }) => (
    <aside
      key={`${name}${until}`}
      className={css.banner}
      data-admin
      aria-label={t('Support access')}
    >
      <span>
        {may_write
          ? t('{name} from support can read and change this company: {reason}', { name, reason })
          : t('{name} from support can read this company: {reason}', { name, reason })}{' '}
        {t('Until')} <Time at={until} />
      </span>
      <span className={css.links}>
        <a href="/settings/audit-log">{t('Audit log')}</a>
      </span>
    </aside>
  ));
}
