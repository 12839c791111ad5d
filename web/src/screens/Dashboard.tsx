import { companies } from '#contract';
import { formatDate, Page, Section, t, useAsk, useCompanyId, useMay, useNow, userZone, useUser } from '#ui';
import { CallFigures } from '../features/analytics/CallFigures.tsx';
import { GettingStarted } from '../features/companies/GettingStarted.tsx';
import { RecentActivity } from '../features/companies/RecentActivity.tsx';
import { TourOffer } from '../features/companies/TourOffer.tsx';
import { TodayFigures } from '../features/companies/TodayFigures.tsx';
import css from './Dashboard.module.css';

/** The start page: what today brought, what came last, and what is still to set up. All of it from real rows. */
export default function Dashboard() {
  const user = useUser();
  const companyId = useCompanyId();
  const seesActivity = useMay('analytics.view');
  const now = useNow(60_000);
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: userZone() }).format(now);
  const here = user?.companies.find((c) => c.id === companyId);
  const { answer } = useAsk(companies.getCompany, { params: { id: companyId ?? 0 } }, { when: companyId !== null });
  return (
    <Page title={answer?.data.name ?? here?.name ?? t('Home')} about={`${weekday}, ${formatDate(now)}`}>
      <div className={css.grid}>
        <div className={css.main}>
          {seesActivity && <TodayFigures zone={answer?.data.timezone} />}
          {seesActivity && <CallFigures />}
          {seesActivity ? <RecentActivity /> : <Section title={t('Nothing to report here')}><p className={css.quiet}>{t('Your role shows no calls or messages. What you can do stands in the menu on the left.')}</p></Section>}
        </div>
        <div className={css.side}>
          <TourOffer />
          {answer && <GettingStarted steps={answer.data.onboarding_steps} />}
        </div>
      </div>
    </Page>
  );
}
