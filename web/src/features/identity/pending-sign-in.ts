import { identity, type Answer } from '#contract';
import { navigate, startSession, type Tokens } from '#ui';
import { cache } from '../../shared/query-client.ts';
import { safeNextPath } from '../../shared/next-path.ts';

type Waiting = Extract<Answer<typeof identity.login>, { mfa_required: true }>;
/** A sign-in that waits for its second factor. The token is worthless without one. */
export interface PendingSignIn extends Pick<Waiting, 'mfa_token' | 'methods'> {
  admin: boolean;
}

const key = 'trunkline.signin';

/** The sign-in of this tab that waits; null: none. It survives a reload. */
export function pendingSignIn(): PendingSignIn | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as PendingSignIn | null;
  } catch {
    return null;
  }
}
/** Keeps the waiting sign-in, or forgets it (null). */
export function keepPendingSignIn(waiting: PendingSignIn | null): void {
  if (waiting) sessionStorage.setItem(key, JSON.stringify(waiting));
  else sessionStorage.removeItem(key);
}

/** Starts the session of a finished sign-in and opens the requested page. */
export function enterApp(token: Tokens, admin: boolean): void {
  keepPendingSignIn(null);
  cache.clear();
  startSession(token, { admin });
  const next = safeNextPath(window.location.search);
  // Staff say why and for how long first.
  navigate(admin ? `/admin-mode?next=${encodeURIComponent(next)}` : next, { replace: true });
}
