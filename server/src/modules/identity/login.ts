import { hash, verify } from '@node-rs/argon2';
import { sentences, type Answer, type Body, type identity as contract } from '#contract';
import type { Http } from '../../platform/answer.ts';
import type { Ctx } from '../../platform/context.ts';
import { invalid, refuse } from '../../platform/refuse.ts';
import { openSession } from './open-session.ts';
import { briefOf } from './present.ts';
import { LOCK_AFTER, LOCK_MINUTES } from './rules.ts';
import { failuresSince, forgetFailures, noteAttempt, personByEmail } from './store.ts';

// Verified against when the address is unknown, so that the time taken does not tell who exists.
const decoy = hash('nobody has this password');

/** Sign in. Wrong address and wrong password are one answer; 10 failures in 15 minutes lock the address. */
export async function login(ctx: Ctx, said: Body<typeof contract.login>, http: Http): Promise<Answer<typeof contract.login>> {
  const since = new Date(ctx.now.getTime() - LOCK_MINUTES * 60_000);
  const person = await ctx.db.system(async (tx) => {
    if ((await failuresSince(tx, said.email, since)) >= LOCK_AFTER) {
      void http.reply.header('retry-after', String(LOCK_MINUTES * 60));
      refuse('login.locked', { minutes: LOCK_MINUTES });
    }
    return personByEmail(tx, said.email);
  });
  const right = await verify(person?.password_hash ?? (await decoy), said.password).catch(() => false);
  if (!person || !right || person.disabled_at) {
    await ctx.db.system((tx) => noteAttempt(tx, said.email, http.ip, false, ctx.now));
    invalid({ email: sentences.wrongCredentials });
  }
  return ctx.db.system(async (tx) => {
    await forgetFailures(tx, said.email);
    await noteAttempt(tx, said.email, http.ip, true, ctx.now);
    const { token } = await openSession(ctx, tx, http, { personId: person.id, kind: 'browser', adminMode: Boolean(said.admin) && person.is_staff, remember: said.remember ?? false });
    return { token, data: briefOf(person) };
  });
}
