import { isIPv6 } from 'node:net';
import { sentences, type Answer, type Body, type identity as contract } from '#contract';
import type { Http } from '../../platform/answer.ts';
import type { Ctx } from '../../platform/context.ts';
import { Refusal, invalid, refuse } from '../../platform/refuse.ts';
import { makeTurnstile } from '../../platform/turnstile.ts';
import { openSession } from './open-session.ts';
import { isPassword } from './passwords.ts';
import { briefOf } from './present.ts';
import { LOCK_AFTER, LOCK_MINUTES, NETWORK_LOCK_AFTER } from './rules.ts';
import {
  attemptSucceeded,
  failuresFrom,
  failuresSince,
  forgetFailures,
  lockSignIn,
  noteAttempt,
  personByEmail,
} from './store.ts';

type Said = Body<typeof contract.login>;
type Answered = Answer<typeof contract.login>;

// Fewer than the system's connections, so that however many sign in, everybody else's requests find
// one. One at a time for an address: many right passwords at once are not taken for many wrong ones.
const signIns = makeTurnstile({ slots: 3, waiting: 300 });

/**
 * Sign in. Wrong address and wrong password are one answer; 10 failures in 15 minutes lock the
 * address, 50 lock the network they came from. An attempt counts as a failure before its password
 * is looked at: of any number that come at once, in any process, no more than these are verified.
 */
export function login(ctx: Ctx, said: Said, http: Http): Promise<Answered> {
  const address = said.email.trim().toLowerCase();
  return signIns
    .run(address, () => signIn(ctx, said, http))
    .catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'rate.limited') {
        void http.reply.header('retry-after', String(error.facts['seconds']));
      }
      throw error;
    });
}

async function signIn(ctx: Ctx, said: Said, http: Http): Promise<Answered> {
  const since = new Date(ctx.now.getTime() - LOCK_MINUTES * 60_000);
  const network = networkOf(http.ip);
  const begun = await ctx.db.system(async (tx) => {
    // The network first, everywhere: two that wait for each other would wait for ever.
    await lockSignIn(tx, `network:${network}`);
    await lockSignIn(tx, `address:${said.email.trim().toLowerCase()}`);
    if ((await failuresFrom(tx, network, since)) >= NETWORK_LOCK_AFTER) return null;
    if ((await failuresSince(tx, said.email, since)) >= LOCK_AFTER) return null;
    const attempt = { email: said.email, ip: http.ip, network, at: ctx.now };
    return {
      attemptId: await noteAttempt(tx, attempt),
      person: await personByEmail(tx, said.email),
    };
  });
  if (!begun) {
    void http.reply.header('retry-after', String(LOCK_MINUTES * 60));
    refuse('login.locked', { minutes: LOCK_MINUTES });
  }
  const { attemptId, person } = begun;
  const right = await isPassword(person?.password_hash, said.password);
  if (!person || !right || person.disabled_at) invalid({ email: sentences.wrongCredentials });
  return ctx.db.system(async (tx) => {
    await attemptSucceeded(tx, attemptId);
    await forgetFailures(tx, said.email);
    const adminMode = Boolean(said.admin) && person.is_staff;
    const { token } = await openSession(ctx, tx, http, {
      personId: person.id,
      kind: 'browser',
      adminMode,
      remember: said.remember ?? false,
    });
    return { token, data: briefOf(person) };
  });
}

/** Whom wrong passwords are counted for: an IPv4 address, or the /64 of an IPv6 one (one customer's). */
export function networkOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%')[0]!.toLowerCase().split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
