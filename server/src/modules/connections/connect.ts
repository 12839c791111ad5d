import { connectionChanged } from '#contract/connections/events';
import { oauthProviders, type ConnectFailure } from '#contract/connections/schemas';
import { createHash, randomBytes } from 'node:crypto';
import type { OAuthAccount, OAuthProvider } from '../../gateways/oauth.ts';
import { audit } from '../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { hashToken, randomToken, seal, unseal } from '../../platform/secrets.ts';
import { presentConnection, type Connection } from './present.ts';
import { ATTEMPT_MINUTES, companyOfState } from './rules.ts';
import { insertAttempt, takeAttempt, upsertConnection } from './store.ts';

/**
 * The provider of that name. Fails with `connection.unknown_provider` when there is no such third
 * party, and `connection.provider_not_set_up` when its client ID and secret are not set.
 */
export function providerNamed(ctx: Pick<Ctx, 'gateways'>, name: string): OAuthProvider {
  const provider = ctx.gateways.oauth.get(name);
  if (provider) return provider;
  const label = Object.hasOwn(oauthProviders, name)
    ? oauthProviders[name as keyof typeof oauthProviders]
    : fail('connection.unknown_provider', { provider: name });
  return fail('connection.provider_not_set_up', { provider: label });
}

/**
 * Starts a connection: stores its state for this session and company, to be used once within ten
 * minutes, and its PKCE verifier, sealed. `url`: the provider's consent page.
 */
export async function beginConnecting(
  t: TxCtx,
  { provider: name, redirectUri }: { provider: string; redirectUri: string },
): Promise<{ url: string; state: string; expiresAt: Date }> {
  const provider = providerNamed(t, name);
  const state = `${t.companyId}.${randomToken('tlo')}`;
  const expiresAt = new Date(t.now.getTime() + ATTEMPT_MINUTES * 60_000);
  const codeVerifier = randomBytes(32).toString('base64url');
  await insertAttempt(t.tx, {
    company_id: t.companyId,
    state_hash: hashToken(state),
    provider: name,
    session_id: t.actor.sessionId,
    person_id: t.actor.userId,
    redirect_uri: redirectUri,
    verifier_sealed: seal(t.settings.appSecrets, codeVerifier),
    expires_at: expiresAt,
  });
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const url = provider.authorizationUrl({ state, codeChallenge, redirectUri });
  return { url, state, expiresAt };
}

export type ConnectOutcome =
  | { connected: Connection }
  /** `text`: for the log. Connecting has to be started again. */
  | { failed: ConnectFailure; text: string };

/**
 * Exchanges the provider's code for tokens and stores the connection. Connecting the same account
 * again updates its row.
 * @param ctx outside a transaction, in the company that the state names
 * @param callback the query with which the provider sent the person back
 */
export async function finishConnecting(
  ctx: Ctx,
  { provider: name, callback }: { provider: string; callback: URLSearchParams },
): Promise<ConnectOutcome> {
  const provider = providerNamed(ctx, name);
  const state = callback.get('state') ?? '';
  if (companyOfState(state) !== ctx.companyId) return staleState;
  const { sessionId } = ctx.actor;
  const attempt = await ctx.transaction((t) =>
    takeAttempt(t.tx, ctx.companyId, {
      stateHash: hashToken(state),
      provider: name,
      sessionId,
      now: t.now,
    }),
  );
  if (!attempt) return staleState;
  const grant = await provider.exchangeCode({
    callback,
    state,
    codeVerifier: unseal(ctx.settings.appSecrets, attempt.verifier_sealed),
    redirectUri: attempt.redirect_uri,
  });
  if (grant.state === 'refused') return { failed: 'refused', text: grant.text };
  if (grant.state === 'away') return { failed: 'away', text: grant.reason };
  let account: OAuthAccount;
  try {
    account = await provider.account(grant.tokens.access);
  } catch (error) {
    return { failed: 'away', text: (error as Error).message };
  }
  return ctx.transaction(async (t) => {
    const { expiresIn } = grant;
    const row = await upsertConnection(t.tx, {
      company_id: t.companyId,
      provider: name,
      external_id: account.externalId,
      account_name: account.name,
      account_email: account.email,
      scopes: grant.scopes,
      status: 'connected',
      tokens_sealed: seal(t.settings.appSecrets, JSON.stringify(grant.tokens)),
      access_expires_at: expiresIn === null ? null : new Date(t.now.getTime() + expiresIn * 1000),
      last_worked_at: t.now,
      last_error: null,
      last_error_at: null,
      disconnected_at: null,
      created_by: t.actor.userId || null,
      created_at: t.now,
    });
    const after = { provider: name, account: account.name };
    await audit(t, 'connection.connected', `connection:${row.id}`, { after });
    await t.publish(connectionChanged, {
      connectionId: row.id,
      provider: name,
      connected: true,
    });
    return { connected: presentConnection(row) };
  });
}

const staleState: ConnectOutcome = {
  failed: 'state',
  text: 'The state is not of this session and company, was used before, or has expired.',
};
