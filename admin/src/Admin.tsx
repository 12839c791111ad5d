import { Suspense, useEffect } from 'react';
import { Anchor, Button, Center, Group, Loader } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { companies } from '#contract';
import {
  AppFrame,
  ConfirmIdentityHost,
  EmptyState,
  ErrorState,
  Page,
  session,
  t,
  useApiQuery,
  usePath,
  lazyScreen,
} from '#ui';
import { AdminModeBar } from '#ui/components/AdminModeBar.tsx';
import css from '#ui/components/tabs.module.css';
import { goToLogin } from './go-to-login.ts';
import { Status } from './Status.tsx';

/** Forms and lists are loaded when they are opened. */
const Setup = lazyScreen(() => import('./Setup.tsx'));
const Companies = lazyScreen(() => import('./Companies.tsx'));
const People = lazyScreen(() => import('./People.tsx'));
const Carriers = lazyScreen(() => import('./Carriers.tsx'));
const Tickets = lazyScreen(() => import('./Tickets.tsx'));
const RemoteLogin = lazyScreen(() => import('./RemoteLogin.tsx'));
const CompanyImports = lazyScreen(() => import('./CompanyImports.tsx'));
const BillingAccounts = lazyScreen(() => import('./BillingAccounts.tsx'));

/** Platform administration, for platform staff in admin mode only. */
export function Admin() {
  const { response, error, refetch } = useApiQuery(
    companies.getUser,
    {},
    { staleTime: 60_000, silent: true, skipsSessionCheck: true },
  );
  const signedOut = error?.status === 401;
  useEffect(() => {
    if (signedOut) goToLogin();
  }, [signedOut]);

  if (error && !signedOut)
    return (
      <Frame>
        <Page title={t('Something went wrong')}>
          <ErrorState error={error} retry={refetch} />
        </Page>
      </Frame>
    );
  if (!response)
    return (
      <Frame>
        <Loading />
      </Frame>
    );
  const { email, is_staff: isStaff, is_admin: isAdmin } = response.data;
  return (
    <Frame email={email} isAdmin={isStaff && isAdmin}>
      {screenFor(response.data)}
    </Frame>
  );
}

const Loading = () => (
  <Center role="status" aria-label={t('Loading')} h="100%">
    <Loader size="sm" />
  </Center>
);

const Frame = ({
  email,
  isAdmin = false,
  children,
}: {
  email?: string;
  isAdmin?: boolean;
  children: React.ReactNode;
}) => (
  <AppFrame
    href="/admin/"
    name={t('Trunkline admin')}
    mark={<img src="/icon.svg" width={24} height={24} alt="" />}
    banner={isAdmin && <AdminModeBar />}
    aside={
      email && (
        <Group gap="md">
          {email}
          <Anchor href="/">{t('Back to the app')}</Anchor>
        </Group>
      )
    }
  >
    {children}
  </AppFrame>
);

const screenFor = ({ is_staff, is_admin }: { is_staff: boolean; is_admin: boolean }) => {
  if (!is_staff) return <NotAllowed />;
  return is_admin ? <Screens /> : <AdminModeNeeded />;
};

const links = [
  ['/admin/status', () => t('Status')],
  ['/admin/setup', () => t('Setup')],
  ['/admin/companies', () => t('Companies')],
  ['/admin/people', () => t('People')],
  ['/admin/carriers', () => t('Carriers')],
  ['/admin/tickets', () => t('Support requests')],
  ['/admin/billing', () => t('Billing')],
  ['/admin/remote-login', () => t('Remote login')],
  ['/admin/imports', () => t('Import a company')],
] as const;
const screens: Record<(typeof links)[number][0], React.ComponentType> = {
  '/admin/status': Status,
  '/admin/setup': Setup,
  '/admin/companies': Companies,
  '/admin/people': People,
  '/admin/carriers': Carriers,
  '/admin/tickets': Tickets,
  '/admin/billing': BillingAccounts,
  '/admin/remote-login': RemoteLogin,
  '/admin/imports': CompanyImports,
};

function Screens() {
  const path = usePath();
  const [current] = links.find(([href]) => path.startsWith(href)) ?? links[0];
  const Screen = screens[current];
  return (
    <>
      <nav className={css.tabs} aria-label={t('Admin')}>
        {links.map(([href, label]) => (
          <a key={href} href={href} aria-current={href === current ? 'page' : undefined}>
            {label()}
          </a>
        ))}
      </nav>
      <Suspense fallback={<Loading />}>
        <Screen />
      </Suspense>
      <ConfirmIdentityHost />
    </>
  );
}

const AdminModeNeeded = () => (
  <Page title={t('Admin')}>
    <EmptyState
      icon={<IconLock size={28} stroke={1.5} />}
      title={t('Enter admin mode to open this page.')}
      action={
        // A session that was begun for it says why it enters; any other one signs in first.
        session.get().isAdmin ? (
          <Button component="a" href="/admin-mode?next=/admin/status">
            {t('Enter admin mode')}
          </Button>
        ) : (
          <Button component="a" href="/login?admin=1&next=/admin/status">
            {t('Sign in')}
          </Button>
        )
      }
    />
  </Page>
);

const NotAllowed = () => (
  <Page title={t('Not allowed')}>
    <EmptyState
      icon={<IconLock size={28} stroke={1.5} />}
      title={t('Only platform staff can open this page.')}
      action={
        <Button component="a" href="/" variant="default">
          {t('Go home')}
        </Button>
      }
    />
  </Page>
);
