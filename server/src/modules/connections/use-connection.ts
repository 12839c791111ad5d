import { z } from 'zod';
import type { GrantResult, OAuthTokens } from '../../gateways/oauth.ts';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { seal, unseal } from '../../platform/secrets.ts';
import { providerNamed } from './connect.ts';
import { HEALTH_SECONDS, isOver, mustRenew, needsPerson } from './rules.ts';
import {
  connectionRow,
  lockConnection,
  markFailing,
  markWorked,
  patchConnection,
  type ConnectionRow,
} from './store.ts';

/** A connection gives no token now. `needs_reconnect`: not before a person connects anew. */
export class ConnectionUnusableError extends Error {
  override name = 'ConnectionUnusableError';
  constructor(
    readonly code: 'needs_reconnect' | 'disconnected' | 'away',
    readonly connectionId: number,
    message: string,
  ) {
    super(message);
  }
}

const storedTokens = z.object({ access: z.string(), refresh: z.string().nullable() });
/** Null: it is disconnected, or must be connected anew. */
export const tokensOf = (ctx: Pick<Ctx, 'settings'>, row: ConnectionRow): OAuthTokens | null =>
  row.tokens_sealed === null
    ? null
    : storedTokens.parse(JSON.parse(unseal(ctx.settings.appSecrets, row.tokens_sealed)));

/**
 * Asks a third party with the connection's access token. A token about to end is renewed before; one
 * that is refused (401) is renewed and the question asked once more. How it went is the connection's
 * health.
 * @param ctx outside a transaction
 * @param ask sends one request with the token; its errors are thrown on
 * @throws ConnectionUnusableError when there is no token to ask with
 */
export async function askWithConnection<A extends { status: number }>(
  ctx: Ctx,
  connectionId: number,
  ask: (accessToken: string) => Promise<A>,
): Promise<A> {
  const token = await accessToken(ctx, connectionId, null);
  try {
    let answer = await ask(token);
    if (answer.status === 401) answer = await ask(await accessToken(ctx, connectionId, token));
    const failed = answer.status === 401 || answer.status >= 500;
    await recordHealth(ctx, connectionId, failed ? `It answered ${answer.status}.` : null);
    return answer;
  } catch (error) {
    if (!(error instanceof ConnectionUnusableError))
      await recordHealth(ctx, connectionId, (error as Error).message);
    throw error;
  }
}

const recordHealth = (ctx: Ctx, id: number, error: string | null): Promise<void> =>
  ctx.transaction(async (t) => {
    if (error === null) await markWorked(t.tx, t.companyId, id, t.now, HEALTH_SECONDS);
    else await markFailing(t.tx, t.companyId, id, t.now, error);
  });

/** @param refused a token that the provider no longer takes; null: none is known */
async function accessToken(ctx: Ctx, id: number, refused: string | null): Promise<string> {
  const row = await ctx.transaction((t) => connectionRow(t.tx, t.companyId, id));
  const tokens = row ? tokensOf(ctx, row) : null;
  if (row && tokens && tokens.access !== refused && !mustRenew(row.access_expires_at, ctx.now))
    return tokens.access;
  return renewals.run(`${ctx.companyId}:${id}`, async () => {
    const result = await ctx.transaction((t) => renewUnderLock(t, id, refused));
    if (result instanceof ConnectionUnusableError) throw result;
    return result;
  });
}

/** Renewals of one process: each holds a connection of the database while the provider is asked. */
const renewals = createConcurrencyLimit({ slots: 3, waiting: 500 });

/**
 * The one place where a third party is asked inside a transaction: a rotating refresh token must be
 * used once, by whoever holds the row, and the lock must end with the process that holds it. The
 * provider has ten seconds. See docs/decisions/0083.
 */
async function renewUnderLock(
  t: TxCtx,
  id: number,
  refused: string | null,
): Promise<string | ConnectionUnusableError> {
  const row = await lockConnection(t.tx, t.companyId, id);
  const unusable = (code: ConnectionUnusableError['code'], text: string) =>
    new ConnectionUnusableError(code, id, text);
  if (!row || row.status === 'disconnected') return unusable('disconnected', 'It is disconnected.');
  const tokens = tokensOf(t, row);
  if (!tokens) return unusable('needs_reconnect', row.last_error ?? 'Connect this account again.');
  // Somebody renewed it while we waited for the row.
  const isFresh = tokens.access !== refused && !mustRenew(row.access_expires_at, t.now);
  if (isFresh) return tokens.access;
  const grant: GrantResult = tokens.refresh
    ? await providerNamed(t, row.provider).refresh(tokens.refresh)
    : { state: 'refused', code: 'invalid_grant', text: 'The access ended.' };
  if (grant.state === 'granted') {
    const { expiresIn } = grant;
    await patchConnection(t.tx, t.companyId, id, {
      tokens_sealed: seal(t.settings.appSecrets, JSON.stringify(grant.tokens)),
      access_expires_at: expiresIn === null ? null : new Date(t.now.getTime() + expiresIn * 1000),
      ...(grant.scopes.length > 0 && { scopes: grant.scopes }),
    });
    return grant.tokens.access;
  }
  const text = (grant.state === 'refused' ? grant.text : grant.reason).slice(0, 500);
  if (grant.state === 'refused' && needsPerson(grant.code)) {
    await patchConnection(t.tx, t.companyId, id, {
      status: 'needs_reconnect',
      tokens_sealed: null,
      access_expires_at: null,
      last_error: text,
      last_error_at: t.now,
    });
    return unusable('needs_reconnect', text);
  }
  await markFailing(t.tx, t.companyId, id, t.now, text);
  // Renewed early: the token in hand still serves for a moment.
  const stillServes = tokens.access !== refused && !isOver(row.access_expires_at, t.now);
  return stillServes ? tokens.access : unusable('away', text);
}
