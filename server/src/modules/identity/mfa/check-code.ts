import type { MfaKind } from '#contract/identity/mfa/rules';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, invalid } from '../../../platform/errors.ts';
import { unseal } from '../../../platform/secrets.ts';
import type { PersonRow } from '../present.ts';
import { LOCK_MINUTES } from '../rules.ts';
import { countFailuresOfEmail, deleteFailures, insertAttempt, lockSignIn } from '../store.ts';
import { consumeRecoveryCode } from './recovery-codes.ts';
import { acceptedStep, CODES_LOCK_AFTER } from './rules.ts';
import { consumeSentCode } from './send-code.ts';
import { lockFactor, markFactorUsed } from './store.ts';

type CheckCtx = Pick<Ctx, 'settings' | 'now'>;

/** Under which name a person's wrong codes are counted among the failed sign-ins. */
const counterOf = (personId: number): string => `mfa:${personId}`;

/**
 * Runs a check of something only this person can know or have, one at a time for each person, and
 * counts failures: ten in 15 minutes fail with `mfa.locked`, over all sign-ins and sessions.
 * Commit the transaction also when the result is false, or the failure isn't counted.
 */
export async function countedCheck(
  { now }: CheckCtx,
  tx: Tx,
  personId: number,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const counter = counterOf(personId);
  await lockSignIn(tx, counter);
  const since = new Date(now.getTime() - LOCK_MINUTES * 60_000);
  if ((await countFailuresOfEmail(tx, counter, since)) >= CODES_LOCK_AFTER)
    fail('mfa.locked', { minutes: LOCK_MINUTES });
  const isRight = await check();
  if (isRight) await deleteFailures(tx, counter);
  else await insertAttempt(tx, { email: counter, ip: '', network: '', at: now });
  return isRight;
}

/** What was counted as a failure before it was checked was right after all. */
export const forgetFailedChecks = (tx: Tx, personId: number) =>
  deleteFailures(tx, counterOf(personId));

/** Fails at the field of a code. */
export const wrongCode = (): never => invalid({ code: 'That code is not valid or has expired.' });

/**
 * Checks a code of an active factor and uses it up. False: wrong, used before, or no such factor;
 * counted (`countedCheck`).
 */
export const checkCode = (
  ctx: CheckCtx,
  tx: Tx,
  person: PersonRow,
  kind: MfaKind,
  code: string,
): Promise<boolean> =>
  countedCheck(ctx, tx, person.id, () => consumeCode(ctx, tx, person, kind, code));

async function consumeCode(
  ctx: CheckCtx,
  tx: Tx,
  person: PersonRow,
  kind: MfaKind,
  typed: string,
): Promise<boolean> {
  if (kind === 'recovery') return consumeRecoveryCode(ctx, tx, person.id, typed);
  const code = typed.replace(/\s/g, '');
  const factor = await lockFactor(tx, person.id, kind);
  if (!factor?.verified_at) return false;
  const { appSecrets } = ctx.settings;
  const secret = factor.secret_sealed && unseal(appSecrets, factor.secret_sealed);
  if (kind === 'totp') {
    const step = secret && acceptedStep(secret, code, ctx.now, factor.last_step);
    if (!step) return false;
    await markFactorUsed(tx, factor, ctx.now, step);
    return true;
  }
  const target = kind === 'email' ? person.email : secret;
  if (!target || !(await consumeSentCode(ctx, tx, person.id, kind, target, code))) return false;
  await markFactorUsed(tx, factor, ctx.now);
  return true;
}
