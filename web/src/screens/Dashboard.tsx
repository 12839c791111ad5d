import { companies } from '#contract';
import {
  formatDate,
  may,
  Page,
  Section,
  t,
  useAsk,
  useCompanyId,
  useMay,
  useNow,
  userZone,
  useUser,
} from '#ui';
import { roleList } from '#contract/permissions';
import { screensBelow } from '../app/rail.ts';
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
  const weekday = new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    timeZone: userZone(),
  }).format(now);
  const here = user?.companies.find((c) => c.id === companyId);
  const { answer } = useAsk(
    companies.getCompany,
    { params: { id: companyId ?? 0 } },
    { when: companyId !== null },
  );
  return (
    <Page
      title={answer?.data.name ?? here?.name ?? t('Home')}
      about={`${weekday}, ${formatDate(now)}`}
    >
      <div className={css.grid}>
        <div className={css.main}>
          {seesActivity && <TodayFigures zone={answer?.data.timezone} />}
          {seesActivity && <CallFigures />}
          {seesActivity ? <RecentActivity /> : <YourScreens role={here?.role} />}
        </div>
        <div className={css.side}>
          <TourOffer />
          {answer && <GettingStarted steps={answer.data.onboarding_steps} />}
        </div>
      </div>
    </Page>
  );
}

/** For a role without calls and messages: why there are none here, and what there is instead. */
function YourScreens({ role }: { role: string | undefined }) {
  const label = roleList.find(({ id }) => id === role)?.label;
  return (
    <Section title={t('Your screens')}>
      <p className={css.quiet}>
        {label
          ? t('The {role} role doesn’t include calls and messages.', { role: t(label) })
          : t('Your role doesn’t include calls and messages.')}{' '}
        {t('If you need them, ask an owner or administrator. You can open:')}
      </p>
      <ul className={css.screens}>
        {screensBelow(may).map(({ path, title }) => (
          <li key={path}>
            <a href={path}>{title}</a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
