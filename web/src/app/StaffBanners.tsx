import { companies } from '#contract';
import { t, Time, useApiQuery } from '#ui';
import css from './Banners.module.css';

/** Who of the platform is in the company now, why and until when. */
export default function StaffBanners({ companyId }: { companyId: number }) {
  const { response } = useApiQuery(
    companies.getCompany,
    { params: { id: companyId } },
    { silent: true },
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
