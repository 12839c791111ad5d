import { caddy, identity, type Answer } from '#contract';
import { api, ApiError, browserZone, createQueryClient, navigate, session } from '#ui';
import { browserLocale, setDateLocale } from './date-locale.ts';
import { pushes, turnPushesOff } from './pushes.ts';

/**
 * Caddy's session is a pair of tokens without a cookie, so that it never mixes with a company's in
 * the same browser. They are kept in the browser; the refresh token works once, so tabs take turns.
 */
interface Kept {
  accountId: number;
  token: string;
  refreshToken: string;
  /** From when on the token is renewed, in ms since 1970. */
  renewAt: number;
}
type SignedIn = Answer<typeof caddy.resetCaddyPassword>['data'];

export const cache = createQueryClient();
const keptUnder = 'caddy.session';
const deviceUnder = 'caddy.device';
/** A token works for 60 minutes. */
const renewAfterMs = 55 * 60_000;

const read = (): Kept | null => {
  try {
    return JSON.parse(localStorage.getItem(keptUnder) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
};

/** Uses these tokens in this tab. Nothing of a company's session in this browser applies here. */
const apply = (kept: Kept | null): void =>
  session.set({
    tokens: kept && { access_token: kept.token, expires_in: 3600, token_type: 'Bearer' },
    selectedCompanyId: kept?.accountId ?? null,
    isOwnAccount: kept !== null,
    isAdmin: false,
    remote: null,
  });

const keep = (kept: Kept): void => {
  localStorage.setItem(keptUnder, JSON.stringify(kept));
  apply(kept);
};

/** Takes up the session of the last visit, and follows sign-ins and sign-outs of other tabs. */
export function resumeSession(): void {
  apply(read());
  window.addEventListener('storage', ({ key }) => {
    if (key !== keptUnder) return;
    const kept = read();
    if (kept?.accountId !== (session.get().selectedCompanyId ?? undefined)) cache.clear();
    apply(kept);
  });
  // A hidden page sleeps: it looks again when it is shown, and a late call is renewed by its 401.
  const renewIfDue = (): void => {
    const kept = read();
    if (kept && Date.now() > kept.renewAt) void renew();
  };
  renewIfDue();
  setInterval(renewIfDue, 60_000);
}

/** Starts a session, and opens where the person wanted to go. */
export function signedIn(data: SignedIn, isNew: boolean): void {
  cache.clear();
  keep({
    accountId: data.accountId,
    token: data.token,
    refreshToken: data.refreshToken,
    renewAt: Date.now() + renewAfterMs,
  });
  const body = { timezone: browserZone(), locale: browserLocale() };
  setDateLocale(isNew ? body.locale : data.profile.locale);
  if (isNew) void api(caddy.updateCaddyProfile, { body }, { silent: true }).catch(() => null);
  const next = new URLSearchParams(window.location.search).get('next');
  const wanted = next?.startsWith('/caddy/') ? next : '/caddy/';
  navigate(isNew ? '/caddy/numbers/new' : wanted, { replace: true });
}

/** Forgets the session in this browser. */
export function forgetSession(): void {
  localStorage.removeItem(keptUnder);
  setDateLocale('en-US');
  apply(null);
  cache.clear();
}

/** The person signs out. */
export async function signOut(): Promise<void> {
  if (pushes.get().on) await turnPushesOff();
  await api(identity.logout, {}, { silent: true }).catch(() => null);
  forgetSession();
  navigate('/caddy/sign-in', { replace: true });
}

let renewing: ReturnType<typeof renewOnce> | null = null;
/** Gets new tokens; calls at the same time share one renewal, and so do tabs. */
export const renew = (): ReturnType<typeof renewOnce> =>
  (renewing ??= renewOnce().finally(() => {
    renewing = null;
  }));

const renewOnce = (): Promise<'renewed' | 'ended' | 'unreachable'> =>
  navigator.locks.request('caddy.renew', async () => {
    const [kept, used] = [read(), session.get().tokens?.access_token];
    if (!kept) return 'ended';
    if (kept.token !== used && Date.now() < kept.renewAt) {
      apply(kept);
      return 'renewed';
    }
    try {
      const { token } = await api(
        identity.createTokenSession,
        { body: { refresh_token: kept.refreshToken } },
        { silent: true, skipsSessionCheck: true },
      );
      keep({
        accountId: kept.accountId,
        token: token.access_token,
        refreshToken: token.refresh_token,
        renewAt: Date.now() + renewAfterMs,
      });
      return 'renewed';
    } catch (problem) {
      const isRefused = problem instanceof ApiError && problem.status === 401;
      return isRefused ? 'ended' : 'unreachable';
    }
  });

/** What sign-in limits count this browser by. */
export function device(): { id: string; platform: string; appVersion: string } {
  let id = localStorage.getItem(deviceUnder);
  if (!id) {
    id = Array.from(crypto.getRandomValues(new Uint8Array(12)), (n) => n.toString(36)).join('');
    localStorage.setItem(deviceUnder, id);
  }
  return { id, platform: 'web', appVersion };
}
export const appVersion = '1.0.0';
