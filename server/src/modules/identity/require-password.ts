import type { Ctx } from '../../platform/context.ts';
import { fail, invalid } from '../../platform/errors.ts';
import type { Http } from '../../platform/routes.ts';
import { networkOf } from './network.ts';
import { verifyPassword } from './passwords.ts';
import type { PersonRow } from './present.ts';
import { LOCK_AFTER, LOCK_MINUTES } from './rules.ts';
import {
  countFailuresOfEmail,
  insertAttempt,
  lockSignIn,
  markAttemptSucceeded,
  personById,
} from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * Requires the signed-in person's password, such as before they give ownership away. A wrong one is
 * the field error of `field` and counts as a failed sign-in (`login.locked`). Call it outside a
 * transaction: hashing would block the connection.
 */
export async function requirePassword(
  ctx: Ctx,
  http: Http,
  password: string | undefined,
  field = 'current_password',
): Promise<PersonRow> {
  if (!password) return invalid({ [field]: 'Enter your current password.' });
  const since = new Date(ctx.now.getTime() - LOCK_MINUTES * 60_000);
  const started = await ctx.db.systemTransaction(async (tx) => {
    const person = (await personById(tx, ctx.actor.userId)) ?? fail('unauthenticated');
    await lockSignIn(tx, `address:${person.email.trim().toLowerCase()}`);
    if ((await countFailuresOfEmail(tx, person.email, since)) >= LOCK_AFTER) return null;
    const attempt = {
      email: person.email,
      ip: http.ip,
      network: networkOf(http.ip),
      at: ctx.now,
    };
    return { person, attemptId: await insertAttempt(tx, attempt) };
  });
  if (!started) {
    void http.reply.header('retry-after', String(LOCK_MINUTES * 60));
    return fail('login.locked', { minutes: LOCK_MINUTES });
  }
  if (!(await verifyPassword(started.person.password_hash, password)))
    invalid({ [field]: 'This isn’t your current password.' });
  await ctx.db.systemTransaction((tx) => markAttemptSucceeded(tx, started.attemptId));
  return started.person;
}
