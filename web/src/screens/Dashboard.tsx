import { companies } from '#contract';
import { Page, Section, t, useAsk, useCompanyId, useMay, useUser } from '#ui';
import { GettingStarted } from '../features/companies/GettingStarted.tsx';
import { RecentActivity } from '../features/companies/RecentActivity.tsx';
import { TodayFigures } from '../features/companies/TodayFigures.tsx';
import css from './Dashboard.module.css';

/** The start page: what today brought, what came last, and what is still to set up. All of it from real rows. */
export default function Dashboard() {
  const user = useUser();
  const companyId = useCompanyId();
  const seesActivity = useMay('analytics.view');
  const { answer } = useAsk(companies.getCompany, { params: { id: companyId ?? 0 } }, { when: companyId !== null });
  const hour = new Date().getHours();
  const greeting = hour < 12 ? t('Good morning, {name}', { name: user?.first_name ?? '' }) : hour < 18 ? t('Good afternoon, {name}', { name: user?.first_name ?? '' }) : t('Good evening, {name}', { name: user?.first_name ?? '' });
  return (
    <Page title={greeting.replace(/, $/, '')} about={answer?.data.name ?? ' '}>
      <div className={css.grid}>
        <div className={css.main}>
          {seesActivity && <TodayFigures zone={answer?.data.timezone} />}
          {seesActivity ? <RecentActivity /> : <Section title={t('Nothing to report here')}><p className={css.quiet}>{t('Your role shows no calls or messages. What you can do stands in the menu on the left.')}</p></Section>}
        </div>
        {answer && <GettingStarted steps={answer.data.onboarding_steps} />}
      </div>
    </Page>
  );
}
