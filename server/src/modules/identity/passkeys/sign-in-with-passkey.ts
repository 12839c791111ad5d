import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { Answer, Body, passkeys as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { hashToken } from '../../../platform/secrets.ts';
import { requireOwnSso } from '../external-sign-in/only-sso.ts';
import { lockPendingSignIn } from '../mfa/store.ts';
import { openSession } from '../open-session.ts';
import { presentPerson } from '../present.ts';
import { personById } from '../store.ts';
import { keepChallenge } from './challenges.ts';
import { relyingParty } from './rules.ts';
import { passkeysOf } from './store.ts';
import { verifyPasskey } from './verify-passkey.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * What a browser needs to use a passkey. Those of a person are only named to whoever knows their
 * password; otherwise the browser offers the passkeys that it has.
 */
export async function passkeySignInOptions(
  ctx: Ctx,
  { mfa_token }: Body<typeof contract.passkeySignInOptions>,
): Promise<Answer<typeof contract.passkeySignInOptions>> {
  const waiting =
    mfa_token === undefined
      ? null
      : ((await ctx.db.systemTransaction((tx) =>
          lockPendingSignIn(tx, hashToken(mfa_token), ctx.now),
        )) ?? fail('mfa.expired'));
  const personId = waiting?.person_id ?? null;
  const known = personId === null ? [] : await passkeysOf(ctx.db.unscoped, personId);
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(ctx.settings.publicUrl).rpID,
    allowCredentials: known.map((p) => ({ id: p.credential_id, transports: p.transports })),
    userVerification: 'required',
  });
  await keepChallenge(ctx, 'sign_in', options.challenge, personId);
  return { data: { ...options } };
}

/** Signs in with a passkey alone. Fails with `passkey.refused` and `sso.required`. */
export async function signInWithPasskey(
  ctx: Ctx,
  { passkey, remember, admin }: Body<typeof contract.signInWithPasskey>,
  http: Http,
): Promise<Answer<typeof contract.signInWithPasskey>> {
  const { person_id } = await verifyPasskey(ctx, passkey, null);
  return ctx.db.systemTransaction(async (tx) => {
    const person = await personById(tx, person_id);
    if (!person || person.disabled_at) return fail('passkey.refused');
    await requireOwnSso(tx, person, { byPassword: false, hasFactor: true });
    const { token } = await openSession(ctx, tx, http, {
      personId: person.id,
      kind: 'browser',
      adminMode: Boolean(admin) && person.is_staff,
      remember: remember ?? false,
      isConfirmed: true,
    });
    return { token, data: presentPerson(person) };
  });
}
