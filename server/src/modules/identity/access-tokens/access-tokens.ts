import { accessTokens as contract, identity, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import { hashToken, randomToken } from '../../../platform/secrets.ts';
import { fullName } from '../rules.ts';
import { countKeysLocked, deleteKey, insertKey, keysOf } from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

const MOST_KEYS = 50;
/** Enough of a token to recognize it, and too little to guess the rest. */
const PREFIX_LENGTH = 10;

/** The company's API keys: everyone's for those who manage all of them, otherwise one's own. */
export async function listPersonalAccessTokens(
  ctx: Ctx,
): Promise<Answer<typeof contract.listPersonalAccessTokens>> {
  const own = ctx.grant === 'all' ? {} : { personId: ctx.actor.userId };
  const rows = await keysOf(ctx.db.unscoped, ctx.companyId, own);
  return { data: rows.map((row) => presentKey(ctx, row, fullName(row))) };
}

/**
 * Creates an API key of the caller for this company; its token is returned this once. Fails at
 * `scopes` for more than the caller's role may have, at `expires_at` for a time that has passed.
 */
export async function createPersonalAccessToken(
  ctx: TxCtx,
  body: Body<typeof contract.createPersonalAccessToken>,
): Promise<Answer<typeof contract.createPersonalAccessToken>> {
  const allowed = contract.scopesForRole(ctx.role);
  const scopes = identity.scopes.filter((scope) => body.scopes.includes(scope));
  if (!scopes.every((scope) => allowed.includes(scope)))
    invalid({ scopes: 'Your role doesn’t allow this permission. Choose fewer.' });
  const expiresAt = body.expires_at ? new Date(body.expires_at) : null;
  if (expiresAt && expiresAt <= ctx.now)
    invalid({ expires_at: 'This time has passed. Choose a later one.' });
  if ((await countKeysLocked(ctx.tx, ctx.companyId, ctx.actor.userId)) >= MOST_KEYS)
    fail('key.limit', { most: MOST_KEYS });
  const token = randomToken('tlk');
  const key = {
    company_id: ctx.companyId,
    person_id: ctx.actor.userId,
    name: body.name,
    prefix: token.slice(0, PREFIX_LENGTH),
    hash: hashToken(token),
    scopes,
    created_at: ctx.now,
    expires_at: expiresAt,
  };
  const id = await insertKey(ctx.tx, key);
  await audit(ctx, 'api_key.created', `api_key:${id}`, {
    after: { name: body.name, scopes, expires_at: expiresAt?.toISOString() ?? null },
  });
  await ctx.publish(contract.personalAccessTokensChanged, { companyId: ctx.companyId });
  const row = { ...key, id, last_used_at: null, last_used_ip: null };
  return { data: { ...presentKey(ctx, row, ctx.actor.name), plain_text_token: token } };
}

/**
 * Revokes an API key: one's own, or anyone's for those who manage all of them. Its requests fail at
 * once and its sockets close.
 */
export async function deletePersonalAccessToken(ctx: TxCtx, id: number): Promise<void> {
  const key =
    (await deleteKey(ctx.tx, ctx.companyId, id, ctx.grant === 'all' ? null : ctx.actor.userId)) ??
    notFound();
  await audit(ctx, 'api_key.revoked', `api_key:${id}`, {
    before: { name: key.name, prefix: key.prefix, user_id: key.person_id },
  });
  await ctx.publish(contract.personalAccessTokensChanged, { companyId: ctx.companyId });
  await ctx.publish(
    identity.permissionsChanged,
    { userId: key.person_id },
    { userId: key.person_id },
  );
}

type Key = Awaited<ReturnType<typeof keysOf>>[number];
type Scopes = identity.Scope[];

function presentKey(
  ctx: Ctx,
  row: Omit<Key, 'first_name' | 'last_name' | 'email'>,
  userName: string,
): Answer<typeof contract.listPersonalAccessTokens>['data'][number] {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes as Scopes,
    user: { id: row.person_id, name: userName },
    mine: row.person_id === ctx.actor.userId,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    last_used_ip: row.last_used_ip,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
