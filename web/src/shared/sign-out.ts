import { identity } from '#contract';
import { api, clearSession, toast, navigate, currentLocation, session } from '#ui';
import { cache } from './query-client.ts';
import { declaredScreens } from './declared-screens.ts';
import { stopLive } from './live.ts';

const isPublic = (): boolean =>
  declaredScreens().some(
    (s) =>
      s.frame === 'public' &&
      (s.path === currentLocation().pathname ||
        (s.path.includes('$') && currentLocation().pathname.startsWith(s.path.split('$')[0]!))),
  );

/** Opens the sign-in page, which returns to the current page afterwards. */
export function goToLogin(): void {
  if (session.get().remote) return navigate('/remote-login', { replace: true });
  if (!isPublic())
    navigate(
      `/login?next=${encodeURIComponent(currentLocation().pathname + currentLocation().search)}`,
      { replace: true },
    );
}
/** What a sign-out clears besides the session. */
export function clearClientState(): void {
  stopLive();
  cache.clear();
}
/** The server ended the session. */
export function endSession(message?: string): void {
  clearSession();
  clearClientState();
  goToLogin();
  if (message) toast.neutral(message);
}
/** The person signs out. */
export async function signOut(): Promise<void> {
  await api(identity.logout, {}, { silent: true }).catch(() => null);
  clearSession();
  clearClientState();
  navigate(session.get().remote ? '/remote-login' : '/login', { replace: true });
}
