import type { Ctx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import type { Http } from '../../platform/routes.ts';
import { networkOf } from './network.ts';
import { verifyPassword } from './passwords.ts';
import { LOCK_AFTER, LOCK_MINUTES, NETWORK_LOCK_AFTER } from './rules.ts';
import {
  countFailuresOfEmail,
  countFailuresOfNetwork,
  deleteFailures,
  insertAttempt,
  lockSignIn,
  markAttemptSucceeded,
} from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * Counts a try as failed before its password is verified, so that concurrent tries can't exceed the
 * limits: 10 failures in 15 minutes lock an address, 50 lock a network. Returns its ID.
 * @param key the address, or what else failures are counted by
 * @throws ApiError `login.locked`
 */
export async function beginAttempt(ctx: Ctx, http: Http, key: string): Promise<number> {
  const since = new Date(ctx.now.getTime() - LOCK_MINUTES * 60_000);
  const network = networkOf(http.ip);
  const attemptId = await ctx.db.systemTransaction(async (tx) => {
    // Always the network first: another order could deadlock.
    await lockSignIn(tx, `network:${network}`);
    await lockSignIn(tx, `address:${key.trim().toLowerCase()}`);
    if ((await countFailuresOfNetwork(tx, network, since)) >= NETWORK_LOCK_AFTER) return null;
    if ((await countFailuresOfEmail(tx, key, since)) >= LOCK_AFTER) return null;
    return insertAttempt(tx, { email: key, ip: http.ip, network, at: ctx.now });
  });
  if (attemptId !== null) return attemptId;
  void http.reply.header('retry-after', String(LOCK_MINUTES * 60));
  return fail('login.locked', { minutes: LOCK_MINUTES });
}

/**
 * Whether this is the password, counted like a sign-in. Call it outside a transaction: hashing would
 * block the connection.
 * @param hash undefined or null: there is no such account, or it has none; it takes as long
 * @throws ApiError `login.locked`
 */
export async function checkPassword(
  ctx: Ctx,
  http: Http,
  { key, hash, password }: { key: string; hash: string | null | undefined; password: string },
): Promise<boolean> {
  const attemptId = await beginAttempt(ctx, http, key);
  if (!(await verifyPassword(hash, password))) return false;
  await ctx.db.systemTransaction(async (tx) => {
    await markAttemptSucceeded(tx, attemptId);
    await deleteFailures(tx, key);
  });
  return true;
}
