import { subscription } from '#contract';
import { formatMoney, t, useApiQuery, useCompanyId } from '#ui';
import css from '#ui/components/Banners.module.css';

/** For people who see billing: what is owed while the account is past due. */
export default function PastDueBanner() {
  const companyId = useCompanyId() ?? 0;
  const { response } = useApiQuery(
    subscription.getSubscription,
    { params: { companyId } },
    { enabled: companyId !== 0, silent: true },
  );
  const data = response?.data;
  if (data?.state !== 'retry_period' || data.balance_cents <= 0) return null;
  const amount = formatMoney(data.balance_cents, data.currency);
  return (
    <aside className={css.banner} data-admin aria-label={t('Outstanding balance')}>
      <span>
        {t('Your account has an outstanding balance of {amount}', { amount })}
        {'. '}
        {t('Please update your payment info to reactivate your account.')}
      </span>
      <span className={css.links}>
        <a href="/settings/billing">{t('Open billing')}</a>
      </span>
    </aside>
  );
}
