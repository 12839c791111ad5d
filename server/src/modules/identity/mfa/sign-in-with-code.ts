import type { Answer, Body, mfa as contract } from '#contract';
import { SIGN_IN_TRIES } from '#contract/identity/mfa/rules';
import { auditPerson } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { hashToken } from '../../../platform/secrets.ts';
import { passSso } from '../external-sign-in/only-sso.ts';
import { recordFailure } from '../login.ts';
import { openSession } from '../open-session.ts';
import { verifyPasskey } from '../passkeys/verify-passkey.ts';
import { presentPerson } from '../present.ts';
import { personById } from '../store.ts';
import { checkCode, wrongCode } from './check-code.ts';
import { methodsOf } from './list-factors.ts';
import { requireSentKind, sendCode, targetOf } from './send-code.ts';
import { countSignInTry, endPendingSignIn, lockPendingSignIn } from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

type CodeBody = Body<typeof contract.signInWithCode>;
type SignedIn = Answer<typeof contract.signInWithCode>;

/** A waiting sign-in, locked, and its person. Fails with `mfa.expired`, `mfa.tries_used`. */
async function waitingSignIn(ctx: Ctx, tx: Tx, mfaToken: string) {
  const waiting =
    (await lockPendingSignIn(tx, hashToken(mfaToken), ctx.now)) ?? fail('mfa.expired');
  if (waiting.tries >= SIGN_IN_TRIES) fail('mfa.tries_used');
  const person = await personById(tx, waiting.person_id);
  if (!person || person.disabled_at) fail('mfa.expired');
  return { waiting, person };
}

/**
 * Finishes a sign-in with a second factor. A try counts before its code is checked, so that
 * concurrent ones can't exceed five; then the password is asked for again.
 */
export async function signInWithCode(ctx: Ctx, body: CodeBody, http: Http): Promise<SignedIn> {
  const { tries, personId } = await ctx.db.systemTransaction(async (tx) => {
    const { waiting } = await waitingSignIn(ctx, tx, body.mfa_token);
    await countSignInTry(tx, waiting.id);
    return { tries: waiting.tries + 1, personId: waiting.person_id };
  });
  if (body.kind === 'passkey')
    await verifyPasskey(ctx, body.passkey ?? fail('passkey.refused'), personId);
  const signedIn = await ctx.db.systemTransaction((tx) => finish(ctx, tx, body, http));
  if (signedIn) return signedIn;
  recordFailure(ctx, http, personId, body.kind);
  return tries >= SIGN_IN_TRIES ? fail('mfa.tries_used') : wrongCode();
}

/** Null: the code is wrong. */
async function finish(
  ctx: Ctx,
  tx: Tx,
  { mfa_token, kind, code }: CodeBody,
  http: Http,
): Promise<SignedIn | null> {
  const waiting =
    (await lockPendingSignIn(tx, hashToken(mfa_token), ctx.now)) ?? fail('mfa.expired');
  const person = (await personById(tx, waiting.person_id)) ?? fail('mfa.expired');
  if (kind !== 'passkey' && !(await checkCode(ctx, tx, person, kind, code ?? ''))) return null;
  await endPendingSignIn(tx, waiting.id, ctx.now);
  if (kind === 'recovery') await auditPerson(ctx, tx, person.id, 'recovery_code.used');
  const ssoOrganizationId =
    waiting.sso_organization_id ?? (await passSso(ctx, tx, person, waiting.by_password));
  const { token } = await openSession(ctx, tx, http, {
    personId: person.id,
    kind: 'browser',
    adminMode: waiting.admin_mode && person.is_staff,
    remember: waiting.remember,
    ssoOrganizationId,
    isConfirmed: true,
  });
  return { token, data: presentPerson(person) };
}

/** What a sign-in still waits for; with a kind that sends codes, a code is sent. */
export const describeSignIn = (
  ctx: Ctx,
  { mfa_token, kind }: Body<typeof contract.mfaToken>,
): Promise<Answer<typeof contract.mfaToken>> =>
  ctx.db.systemTransaction(async (tx) => {
    const { waiting, person } = await waitingSignIn(ctx, tx, mfa_token);
    const methods = await methodsOf(ctx, tx, person);
    let sentTo: string | null = null;
    if (kind) {
      const sent = requireSentKind(kind);
      if (!methods.some((method) => method.kind === sent)) fail('mfa.not_active');
      const target = await targetOf(ctx, tx, person, sent);
      sentTo = (await sendCode(ctx, tx, person, sent, target)).masked;
    }
    const expiresIn = Math.ceil((waiting.expires_at.getTime() - ctx.now.getTime()) / 1000);
    return { mfa_required: true, mfa_token, methods, expires_in: expiresIn, sent_to: sentTo };
  });
