import { identity } from '#contract';
import { ask, clearSession, flash, go, where } from '#ui';
import { cache } from './cache.ts';
import { screens } from './routes.tsx';
import { stopLive } from './live.ts';

const isPublic = (): boolean =>
  screens.some(
    (s) =>
      s.frame === 'public' &&
      (s.path === where().pathname ||
        (s.path.includes('$') && where().pathname.startsWith(s.path.split('$')[0]!))),
  );

/** To the log-in screen, which brings the person back to where they were. */
export function toLogin(): void {
  if (!isPublic())
    go(`/login?next=${encodeURIComponent(where().pathname + where().search)}`, { replace: true });
}
/** What a log-out forgets beside the session itself. */
export function forget(): void {
  stopLive();
  cache.clear();
}
/** The session ended from the other side. */
export function leave(said?: string): void {
  clearSession();
  forget();
  toLogin();
  if (said) flash.neutral(said);
}
/** The person signs out. */
export async function signOut(): Promise<void> {
  await ask(identity.logout, {}, { quiet: true }).catch(() => null);
  clearSession();
  forget();
  go('/login', { replace: true });
}
