import { useEffect, useRef } from 'react';
import { companies } from '#contract';
import {
  ErrorState,
  go,
  Page,
  selectCompany,
  t,
  useAsk,
  usePath,
  userArrived,
  where,
  useSession,
  type CurrentUser,
} from '#ui';
import { leave } from './leave.ts';
import { startLive, stopLive } from './live.ts';
import { screens } from './routes.tsx';
import { Shell } from './Shell.tsx';
import { Waiting } from './Waiting.tsx';

const loginAddress = (): string =>
  `/login?next=${encodeURIComponent(where().pathname + where().search + where().hash)}`;
/** Where to go after a log-in: only to an address of ours. */
export const nextOf = (search: string): string => {
  const next = new URLSearchParams(search).get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
};

/** Lets signed-in people through. Knows the person and the company, keeps the live connection. */
export function Signed({ children }: { children: React.ReactNode }) {
  const path = usePath();
  const companyId = useSession((s) => s.selectedCompanyId);
  const user = useSession((s) => s.user);
  // A session that ends later is the request layer's affair: it waits 500 ms and leads to the log-in by itself (A §4).
  const wasIn = useRef(false);
  if (user) wasIn.current = true;
  const { answer, refusal, again } = useAsk(
    companies.getUser,
    companyId ? { query: { companyId } } : {},
    { freshMs: 60_000, quiet: true, skipsSessionCheck: user === null },
  );

  useEffect(() => {
    if (answer) userArrived(answer.data as unknown as CurrentUser);
  }, [answer]);
  useEffect(() => {
    if (!refusal) return;
    if (refusal.status === 401 && !wasIn.current) go(loginAddress(), { replace: true });
    // The company remembered from last time is no longer ours.
    if ((refusal.status === 404 || refusal.status === 403) && companyId) selectCompany(null);
  }, [refusal, companyId]);
  const userId = user?.id;
  useEffect(() => {
    if (userId) void startLive(() => leave(t('You were signed out.')));
  }, [userId]);
  useEffect(() => stopLive, []);

  const companyless = screens.find((s) => s.path === path)?.companyless ?? false;
  const mustChoose = user !== null && companyId === null && !companyless;
  useEffect(() => {
    if (mustChoose)
      go(`/select-company?next=${encodeURIComponent(where().pathname + where().search)}`, {
        replace: true,
      });
  }, [mustChoose]);

  if (
    !user &&
    refusal &&
    refusal.status !== 401 &&
    refusal.status !== 404 &&
    refusal.status !== 403
  ) {
    return (
      <Shell>
        <Page title={t('Something went wrong')}>
          <ErrorState refusal={refusal} again={again} />
        </Page>
      </Shell>
    );
  }
  if (!user || mustChoose) return <Waiting />;
  return children;
}
