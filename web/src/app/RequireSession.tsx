import { lazy, Suspense, useEffect, useRef } from 'react';
import { companies } from '#contract';
import {
  ErrorState,
  navigate,
  Page,
  selectCompany,
  t,
  useApiQuery,
  usePath,
  session,
  setUser,
  currentLocation,
  useSession,
  type CurrentUser,
} from '#ui';
import { endSession } from '../shared/sign-out.ts';
import { startLive, stopLive } from '../shared/live.ts';
import { screens } from '../features/index.ts';
import { Shell } from './Shell.tsx';
import { LoadingScreen } from './LoadingScreen.tsx';

const ClosedUntilPaid = lazy(() => import('./ClosedUntilPaid.tsx'));
const SsoRequired = lazy(() => import('./SsoRequired.tsx'));

/** Where one signs in; a tab whose remote login has ended says so. */
const signInPath = (): string =>
  session.get().remote
    ? '/remote-login'
    : `/login?next=${encodeURIComponent(currentLocation().pathname + currentLocation().search + currentLocation().hash)}`;

/** Shows its children to signed-in people only; loads the person and opens the live connection. */
export function RequireSession({ children }: { children: React.ReactNode }) {
  const path = usePath();
  const companyId = useSession((s) => s.selectedCompanyId);
  const user = useSession((s) => s.user);
  // When a session ends later, the request layer waits 500 ms and opens the sign-in page (A §4).
  const wasSignedIn = useRef(false);
  if (user) wasSignedIn.current = true;
  const { response, error, refetch } = useApiQuery(
    companies.getUser,
    companyId ? { query: { companyId } } : {},
    {
      staleTime: 60_000,
      silent: true,
      skipsSessionCheck: user === null,
    },
  );

  useEffect(() => {
    if (response) setUser(response.data as unknown as CurrentUser);
  }, [response]);
  useEffect(() => {
    if (!error) return;
    if (error.status === 401 && !wasSignedIn.current) navigate(signInPath(), { replace: true });
    // The company remembered from the last session is no longer one of the person's.
    if ((error.status === 404 || error.status === 403) && companyId) selectCompany(null);
  }, [error, companyId]);
  const userId = user?.id;
  useEffect(() => {
    // A remote login has no socket: its token is like a program's.
    if (userId && !session.get().remote)
      void startLive(() => endSession(t('You were signed out.')));
  }, [userId]);
  useEffect(() => stopLive, []);

  const mustSecure = user?.mfa_setup_required === true && path !== '/settings/security';
  useRedirect(mustSecure ? '/settings/security' : null);

  const companyless = screens.find((s) => s.path === path)?.worksWithoutCompany ?? false;
  const mustChoose = user !== null && companyId === null && !companyless;
  const here = currentLocation().pathname + currentLocation().search;
  useRedirect(mustChoose ? `/select-company?next=${encodeURIComponent(here)}` : null);

  if (!user && error && error.status !== 401 && error.status !== 404 && error.status !== 403) {
    return (
      <Shell>
        <Page title={t('Something went wrong')}>
          <ErrorState error={error} retry={refetch} />
        </Page>
      </Shell>
    );
  }
  if (!user || mustChoose || mustSecure) return <LoadingScreen />;
  return <UnlessClosed isOpen={companyless}>{children}</UnlessClosed>;
}

/** Goes to another screen; null: stays. */
function useRedirect(to: string | null): void {
  useEffect(() => {
    if (to) navigate(to, { replace: true });
  }, [to]);
}

/** Its children, unless the company is closed to the person: until it pays, or to this session. */
function UnlessClosed({ isOpen, children }: { isOpen: boolean; children: React.ReactNode }) {
  const isClosed = useSession((s) => s.user?.closed_until_paid) === true;
  const needsSso = useSession((s) => s.user?.sso_required) != null;
  if (isOpen || !(isClosed || needsSso)) return children;
  return (
    <Shell>
      <Suspense fallback={null}>{needsSso ? <SsoRequired /> : <ClosedUntilPaid />}</Suspense>
    </Shell>
  );
}
