import { sentences, type Answer, type Body, type identity as contract } from '#contract';
import type { Http } from '../../platform/routes.ts';
import { auditPerson } from '../../platform/audit.ts';
import type { Ctx } from '../../platform/context.ts';
import { ApiError, invalid } from '../../platform/errors.ts';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import { completeSignIn } from './complete-sign-in.ts';
import { verifyPassword } from './passwords.ts';
import { networkOf } from './network.ts';
import { beginAttempt } from './password-attempts.ts';
import { deleteFailures, lockPasswordHash, markAttemptSucceeded, personByEmail } from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

type LoginBody = Body<typeof contract.login>;
type LoginAnswer = Answer<typeof contract.login>;

// Fewer than the database connections, so that sign-ins leave some for other requests. One at a
// time per address, so that concurrent right passwords don't count as failures. Networks take
// turns, so that a flood from one doesn't keep others out.
const signInThrottle = createConcurrencyLimit({
  ...{ slots: 3, waiting: 2000, perGroup: { slots: 2, waiting: 100 } },
});

/**
 * Signs in, or asks for the second factor. Wrong address and wrong password get the same answer. 10 failures in 15 minutes lock the
 * address, 50 lock the network (`login.locked`). An attempt counts as failed before its password is
 * verified, so that concurrent attempts can't exceed the limits. Fails with `sso.required`.
 */
export function login(ctx: Ctx, said: LoginBody, http: Http): Promise<LoginAnswer> {
  const address = said.email.trim().toLowerCase();
  return signInThrottle
    .run({ key: address, group: networkOf(http.ip) }, () => signIn(ctx, said, http))
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'rate.limited') {
        void http.reply.header('retry-after', String(error.params['seconds']));
      }
      throw error;
    });
}

async function signIn(ctx: Ctx, said: LoginBody, http: Http): Promise<LoginAnswer> {
  const attemptId = await beginAttempt(ctx, http, said.email);
  const person = await personByEmail(ctx.db.unscoped, said.email);
  const passwordMatches = await verifyPassword(person?.password_hash, said.password);
  if (person && !passwordMatches) recordFailure(ctx, http, person.id, 'password');
  if (!person || !passwordMatches || person.disabled_at)
    invalid({ email: sentences.wrongCredentials });
  const signedIn = ctx.db.systemTransaction(async (tx) => {
    // It may have been changed while it was being verified: then it opens nothing any more.
    if ((await lockPasswordHash(tx, person.id)) !== person.password_hash)
      invalid({ email: sentences.wrongCredentials });
    await markAttemptSucceeded(tx, attemptId);
    await deleteFailures(tx, said.email);
    return completeSignIn(ctx, tx, http, person, {
      adminMode: Boolean(said.admin) && person.is_staff,
      remember: said.remember ?? false,
      by: 'password',
    });
  });
  return signedIn.catch(async (error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'sso.required')) throw error;
    // The password was right, so it counts as no failed one.
    await ctx.db.systemTransaction(async (tx) => {
      await markAttemptSucceeded(tx, attemptId);
      await deleteFailures(tx, said.email);
    });
    recordFailure(ctx, http, person.id, 'sso');
    throw error;
  });
}

/**
 * Writes a failed sign-in into the audit logs of the person's companies. After the answer, so that its
 * time doesn't tell which addresses have an account; unknown addresses belong to no company.
 */
export function recordFailure(ctx: Ctx, http: Http, personId: number, step: string): void {
  http.reply.raw.once('close', () => {
    ctx.db
      .systemTransaction((tx) => auditPerson(ctx, tx, personId, 'sign_in.failed', { step }))
      .catch((err: unknown) => ctx.log.error({ err }, 'a failed sign-in was not recorded'));
  });
}
