import { Anchor } from '@mantine/core';
import { t, Time, useCompanyId, usePermission, useUser } from '#ui';
import { AdminModeBar } from '#ui/components/AdminModeBar.tsx';
import { signOut } from '../shared/sign-out.ts';
import css from '#ui/components/Banners.module.css';

/** Banners that few people ever see. */
export default function RareBanners(shows: { admin: boolean; remote: boolean; parked: boolean }) {
  return (
    <>
      {shows.admin && <AdminModeBar />}
      {shows.remote && <RemoteBanner />}
      {shows.parked && <ParkedBanner />}
    </>
  );
}

/** For a company that its organization parked: what doesn't work, and who can change it. */
function ParkedBanner() {
  const companyId = useCompanyId();
  const user = useUser();
  const isAdmin = usePermission('organization.edit');
  const company = user?.companies.find(({ id }) => id === companyId);
  if (!company) return null;
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
/** For platform staff in a person's place: whose, why, until when, and the way out. */
function RemoteBanner() {
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
        · {t('until')} <Time at={access.ends_at} />
      </span>
      <span className={css.links}>
        <Anchor component="button" type="button" fz="xs" onClick={() => void signOut()}>
          {t('End remote login')}
        </Anchor>
      </span>
    </aside>
  );
}
