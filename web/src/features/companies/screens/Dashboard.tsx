import { companies } from '#contract';
import {
  formatDate,
  hasPermission,
  Page,
  Section,
  t,
  useApiQuery,
  useCompanyId,
  usePermission,
  useNow,
  userZone,
  useUser,
} from '#ui';
import { roleList } from '#contract/permissions';
import { secondLevelScreens } from '../../../shared/declared-screens.ts';
import { CallMetrics, LiveNow, Waiting } from '../../analytics/index.ts';
import { GettingStarted } from '../GettingStarted.tsx';
import { RecentActivity } from '../RecentActivity.tsx';
import { TransferNotice } from '../OwnershipTransfer.tsx';
import { TourOffer } from '../TourOffer.tsx';
import css from './Dashboard.module.css';

/** The home page: what waits for a reply, the period's metrics, live calls and recent activity. */
export default function Dashboard() {
  const user = useUser();
  const companyId = useCompanyId();
  const seesActivity = usePermission('analytics.view'),
    watchesCalls = usePermission('calls.monitor');
  const here = user?.companies.find((c) => c.id === companyId);
  const mayBecomeOwner = here?.role === 'administrator';
  const now = useNow(60_000);
  const weekday = new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    timeZone: userZone(),
  }).format(now);
  const { response } = useApiQuery(
    companies.getCompany,
    { params: { id: companyId ?? 0 } },
    { enabled: companyId !== null },
  );
  return (
    <Page
      title={response?.data.name ?? here?.name ?? t('Home')}
      description={`${weekday}, ${formatDate(now)}`}
    >
      {mayBecomeOwner && <TransferNotice />}
      <div className={css.grid}>
        <div className={css.main}>
          {seesActivity && <Waiting />}
          {seesActivity && <CallMetrics since={response?.data.created_at} />}
          {watchesCalls && <LiveNow />}
          {seesActivity ? <RecentActivity /> : <YourScreens role={here?.role} />}
        </div>
        <div className={css.side}>
          <TourOffer />
          {response && <GettingStarted steps={response.data.onboarding_steps} />}
        </div>
      </div>
    </Page>
  );
}

/** For roles without access to calls and messages: the reason, and what is available instead. */
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
        {secondLevelScreens(hasPermission).map(({ path, title }) => (
          <li key={path}>
            <a href={path}>{title}</a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
