import { sentences, type Answer, type Body } from '#contract';
import { caddy as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { fail, invalid } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import {
  checkPassword,
  forgetFailures,
  hashPassword,
  passwordProblem,
  revokeSessionsIn,
} from '../../identity/index.ts';
import { attemptKey, type Target } from '../rules.ts';
import { accountOf } from '../store-identities.ts';
import { accountRow, changeAccount, lockAccount } from '../store.ts';
import { openCaddySession } from './open-caddy-session.ts';
import { sendCode, useCode } from './send-code.ts';

// The system role: sessions belong to no company, and who resets a password isn't known before.

/**
 * Sets another password, or the first one, and signs out every other session.
 * @throws ApiError field errors of `current` and `new`, `login.locked`
 */
export async function changePassword(
  ctx: Ctx,
  http: Http,
  body: Body<typeof contract.changeCaddyPassword>,
): Promise<Answer<typeof contract.changeCaddyPassword>> {
  const before = (await accountRow(ctx.db.unscoped, ctx.companyId)) ?? fail('unauthenticated');
  if (before.password_hash !== null) {
    if (!body.current) invalid({ current: 'Enter your current password.' });
    const isRight = await checkPassword(ctx, http, {
      ...{ key: `caddy:account:${ctx.companyId}`, hash: before.password_hash },
      password: body.current ?? '',
    });
    if (!isRight) invalid({ current: 'This isn’t your current password.' });
    if (body.current === body.new)
      invalid({ new: 'Choose a password that differs from your current one.' });
  }
  const problem = passwordProblem(body.new, before.email ?? '');
  if (problem) invalid({ new: problem });
  const password_hash = await hashPassword(body.new);
  await ctx.db.systemTransaction(async (tx) => {
    const account = await lockAccount(tx, ctx.companyId);
    if (account?.password_hash !== before.password_hash) fail('unauthenticated');
    await changeAccount(tx, ctx.companyId, { password_hash, updated_at: ctx.now });
    const { userId, sessionId } = ctx.actor;
    await revokeSessionsIn(tx, { personId: userId, exceptId: sessionId }, ctx.now);
  });
  return { data: { message: sentences.passwordChanged } };
}

const ofEmail = (email: string): Target => ({ channel: 'email', subject: email.toLowerCase() });

/** Queues a code for a new password; the answer is the same for every address. */
export async function sendResetCode(
  ctx: Ctx,
  http: Http,
  { email, device }: Body<typeof contract.sendCaddyResetCode>,
): Promise<Answer<typeof contract.sendCaddyResetCode>> {
  const asked = { purpose: 'reset', target: ofEmail(email), accountId: 0 } as const;
  return { data: await sendCode(ctx, http, asked, device?.id) };
}

/**
 * Sets a password by a code, signs every session out and opens a new one.
 * @throws ApiError `caddy.code_wrong`, `caddy.code_over`, a field error of `password`
 */
export async function resetPassword(
  ctx: Ctx,
  http: Http,
  body: Body<typeof contract.resetCaddyPassword>,
): Promise<Answer<typeof contract.resetCaddyPassword>> {
  const problem = passwordProblem(body.password, body.email);
  if (problem) invalid({ password: problem });
  const target = ofEmail(body.email);
  await useCode(ctx, { purpose: 'reset', target, accountId: 0 }, body.code);
  const password_hash = await hashPassword(body.password);
  return ctx.db.systemTransaction(async (tx) => {
    const accountId = await accountOf(tx, 'email', target.subject);
    if (accountId === null) return fail('caddy.code_over', {}, { triesLeft: 0 });
    const account = await changeAccount(tx, accountId, { password_hash, updated_at: ctx.now });
    await revokeSessionsIn(tx, { personId: account.person_id }, ctx.now);
    await forgetFailures(tx, attemptKey(target));
    return { data: await openCaddySession(ctx, tx, http, account, body.device) };
  });
}
