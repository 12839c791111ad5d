/** The books of simulated providers: who consented to what, and which tokens are valid. */
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { GrantResult, OAuthAccount } from '../../gateways/oauth.ts';
import type { Db } from '../../platform/db.ts';

// The system role: the simulated providers’ own tables have no company.

/** An access token is valid for so long. Seconds. */
const ACCESS_SECONDS = 3600;
const CODE_SECONDS = 60;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
const newToken = (kind: 'code' | 'access' | 'refresh'): string =>
  `sbx_${kind}_${randomBytes(24).toString('base64url')}`;
const after = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1000);

interface Consent {
  provider: string;
  account: { externalId: string; name: string; email: string };
  redirectUri: string;
  codeChallenge: string;
}

/** Notes that somebody consented, and returns the code to send them back with. */
export async function insertConsent(db: Db, consent: Consent, now: Date): Promise<string> {
  const code = newToken('code');
  const { provider, account, redirectUri, codeChallenge } = consent;
  await sql`insert into sandbox.oauth_grant (provider, account_id, account_name, account_email,
      redirect_uri, code_challenge, code_hash, code_expires_at, created_at)
    values (${provider}, ${account.externalId}, ${account.name}, ${account.email}, ${redirectUri},
      ${codeChallenge}, ${hashOf(code)}, ${after(now, CODE_SECONDS)}, ${now})`.execute(db.unscoped);
  return code;
}

const refused = (text: string): GrantResult => ({ state: 'refused', code: 'invalid_grant', text });

/** New tokens of a grant that `where` finds, once; null: it finds none. */
async function issue(
  db: Db,
  now: Date,
  where: ReturnType<typeof sql>,
): Promise<GrantResult | null> {
  const [access, refresh] = [newToken('access'), newToken('refresh')];
  const { rows } = await sql`update sandbox.oauth_grant set code_hash = null,
      access_hash = ${hashOf(access)}, access_expires_at = ${after(now, ACCESS_SECONDS)},
      used_refresh_hash = refresh_hash, refresh_hash = ${hashOf(refresh)}
    where revoked_at is null and ${where} returning id`.execute(db.unscoped);
  if (rows.length === 0) return null;
  return {
    state: 'granted',
    tokens: { access, refresh },
    expiresIn: ACCESS_SECONDS,
    scopes: ['simulated'],
  };
}

/** Tokens for a code: in time, once, by who began (PKCE), to the same address. */
export async function exchange(
  db: Db,
  provider: string,
  { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri: string },
  now: Date,
): Promise<GrantResult> {
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const granted = await issue(
    db,
    now,
    sql`provider = ${provider} and code_hash = ${hashOf(code)} and code_expires_at > ${now}
      and code_challenge = ${challenge} and redirect_uri = ${redirectUri}`,
  );
  return granted ?? refused('The code is unknown, was used before, or has expired.');
}

/**
 * New tokens for a refresh token, which is void afterwards. One that was used before ends the grant:
 * two parties have it.
 */
export async function renew(
  db: Db,
  provider: string,
  refreshToken: string,
  now: Date,
): Promise<GrantResult> {
  const hash = hashOf(refreshToken);
  const granted = await issue(db, now, sql`provider = ${provider} and refresh_hash = ${hash}`);
  if (granted) return granted;
  await sql`update sandbox.oauth_grant set revoked_at = ${now}
    where used_refresh_hash = ${hash} and revoked_at is null`.execute(db.unscoped);
  return refused('The refresh token was used before, or access was revoked.');
}

/** Ends the grant of a token, access or refresh; one that is unknown is no error (RFC 7009). */
export const revokeGrant = (db: Db, token: string, now: Date) =>
  sql`update sandbox.oauth_grant set revoked_at = ${now} where revoked_at is null
    and (refresh_hash = ${hashOf(token)} or access_hash = ${hashOf(token)})`.execute(db.unscoped);

/** Whose token it is. Null: it isn’t valid (any more). */
export async function accountOfToken(
  db: Db,
  provider: string,
  accessToken: string,
  now: Date,
): Promise<OAuthAccount | null> {
  const { rows } = await sql<OAuthAccount>`select account_id as "externalId",
      account_name as name, account_email as email
    from sandbox.oauth_grant where provider = ${provider} and access_hash = ${hashOf(accessToken)}
      and access_expires_at > ${now} and revoked_at is null`.execute(db.unscoped);
  return rows[0] ?? null;
}
