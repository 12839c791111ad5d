import type { Answer, Body, mfa as contract } from '#contract';
import { CONFIRMATION_MINUTES } from '#contract/identity/mfa/rules';
import type { Ctx } from '../../../platform/context.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import { verifyPasskey } from '../passkeys/verify-passkey.ts';
import { verifyPassword } from '../passwords.ts';
import { personById } from '../store.ts';
import { checkCode, countedCheck, forgetFailedChecks, wrongCode } from './check-code.ts';
import { confirmedAt, setConfirmed } from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

const lifetimeMs = CONFIRMATION_MINUTES * 60_000;

/**
 * Passes when the person confirmed in this session, in the last 15 minutes, who they are (a sign-in
 * counts). Dispatch calls it for endpoints with `confirms: true`; actions whose danger depends on
 * the request call it first. Fails with `confirmation.required`; the app then asks and repeats the
 * request. Keys and applications can't confirm: `confirmation.needs_session`.
 */
export async function requireRecentConfirmation(
  ctx: Pick<Ctx, 'db' | 'actor' | 'now'>,
): Promise<void> {
  const { sessionId } = ctx.actor;
  if (ctx.actor.scopes) fail('confirmation.needs_session');
  const at = sessionId ? await confirmedAt(ctx.db.unscoped, sessionId) : null;
  if (!at || at.getTime() + lifetimeMs <= ctx.now.getTime()) fail('confirmation.required');
}

/**
 * Confirms who is signed in, by password, a factor's code or a passkey. Wrong ones count as wrong
 * codes (`mfa.locked`).
 */
export async function confirmIdentity(
  ctx: Ctx,
  body: Body<typeof contract.confirmIdentity>,
): Promise<Answer<typeof contract.confirmIdentity>> {
  const { userId, sessionId } = ctx.actor;
  if (!sessionId) fail('role.forbidden');
  const { password, kind, code, passkey } = body;
  if (passkey) await verifyPasskey(ctx, passkey, userId);
  else if (password !== undefined) {
    if (!(await isOwnPassword(ctx, password))) invalid({ password: 'That password isn’t right.' });
  } else if (kind && code) {
    const isRight = await ctx.db.systemTransaction(async (tx) =>
      checkCode(ctx, tx, (await personById(tx, userId)) ?? notFound(), kind, code),
    );
    if (!isRight) wrongCode();
  } else invalid({ password: 'Enter your password.' });
  await ctx.db.systemTransaction((tx) => setConfirmed(tx, sessionId, ctx.now));
  return { data: { confirmed_until: new Date(ctx.now.getTime() + lifetimeMs).toISOString() } };
}

async function isOwnPassword(ctx: Ctx, password: string): Promise<boolean> {
  const person = (await personById(ctx.db.unscoped, ctx.actor.userId)) ?? notFound();
  // Counted as a failure first: hashing takes long, and many could be checked at once meanwhile.
  await ctx.db.systemTransaction((tx) => countedCheck(ctx, tx, person.id, async () => false));
  if (!(await verifyPassword(person.password_hash, password))) return false;
  await ctx.db.systemTransaction((tx) => forgetFailedChecks(tx, person.id));
  return true;
}
