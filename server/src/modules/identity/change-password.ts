import { auditPerson } from '../../platform/audit.ts';
import type { Ctx } from '../../platform/context.ts';
import { fail, invalid } from '../../platform/errors.ts';
import type { Http } from '../../platform/routes.ts';
import { hashToken, randomToken } from '../../platform/secrets.ts';
import { requireRecentConfirmation } from './mfa/confirm-identity.ts';
import { hashPassword } from './passwords.ts';
import { requirePassword } from './require-password.ts';
import { ACCESS_SECONDS, REFRESH_DAYS, passwordProblem } from './rules.ts';
import { lockPerson, personById, setPassword } from './store.ts';
import { replaceSessionTokens } from './store-profile.ts';
import { revokeSessionsIn } from './token-sessions.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/** Whoever has no password yet has come through a provider, and confirms by coming again. */
async function requireOwner(ctx: Ctx, http: Http, password: string | undefined) {
  const person = (await personById(ctx.db.unscoped, ctx.actor.userId)) ?? fail('unauthenticated');
  if (person.has_password) return requirePassword(ctx, http, password);
  await requireRecentConfirmation(ctx);
  return person;
}

/**
 * Changes the signed-in person's password, or sets their first one; ends their other sessions and all reset links, and gives
 * this session new tokens. Field errors of `current_password`, `password`, `password_confirmation`.
 */
export async function changePassword(
  ctx: Ctx,
  http: Http,
  body: {
    current_password?: string | undefined;
    password: string;
    password_confirmation?: string | undefined;
  },
) {
  if (body.password_confirmation !== undefined && body.password_confirmation !== body.password)
    invalid({ password_confirmation: 'The two passwords don’t match.' });
  const person = await requireOwner(ctx, http, body.current_password);
  const problem = passwordProblem(body.password, person.email);
  if (problem) invalid({ password: problem });
  if (body.password === body.current_password)
    invalid({ password: 'Choose a password that differs from your current one.' });
  const passwordHash = await hashPassword(body.password);
  const access = randomToken('tla');
  const refresh = randomToken('tlr');
  await ctx.db.systemTransaction(async (tx) => {
    await lockPerson(tx, person.id);
    await setPassword(tx, person, passwordHash, ctx.now);
    await revokeSessionsIn(tx, { personId: person.id, exceptId: ctx.actor.sessionId }, ctx.now);
    const isOpen = await replaceSessionTokens(tx, ctx.actor.sessionId, {
      access_hash: hashToken(access),
      refresh_hash: hashToken(refresh),
      access_expires_at: new Date(ctx.now.getTime() + ACCESS_SECONDS * 1000),
      refresh_expires_at: new Date(ctx.now.getTime() + REFRESH_DAYS * 86_400_000),
    });
    if (!isOpen) fail('unauthenticated');
    await auditPerson(ctx, tx, person.id, 'password.changed');
  });
  return {
    access_token: access,
    expires_in: ACCESS_SECONDS,
    refresh_token: refresh,
    token_type: 'Bearer' as const,
  };
}
