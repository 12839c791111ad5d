/** A person has this long to say yes at the provider. */
export const ATTEMPT_MINUTES = 10;
/** An access token that ends within this is renewed before it is used. */
const RENEW_BEFORE_SECONDS = 60;
/** A connection that works says so at most this often. */
export const HEALTH_SECONDS = 60;

export type ConnectionStatus = 'connected' | 'failing' | 'needs_reconnect' | 'disconnected';

/** @param expiresAt null: the provider did not say, so the token is used until it is refused */
export const mustRenew = (expiresAt: Date | null, now: Date): boolean =>
  expiresAt !== null && expiresAt.getTime() - now.getTime() < RENEW_BEFORE_SECONDS * 1000;

/** Whether an expiry has passed. Null never expires. */
export const isOver = (expiresAt: Date | null, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

/** The company a `state` was made in, so that its callback finds its way; null: not one of ours. */
export function companyOfState(state: string): number | null {
  const [company = ''] = state.split('.', 1);
  const id = Number(company);
  return /^\d{1,15}$/.test(company) && id > 0 ? id : null;
}

/** Only a refused grant is mended by a person who connects anew; the rest is ours or the provider's to mend. */
export const needsPerson = (code: string): boolean =>
  code === 'invalid_grant' || code === 'access_denied';
