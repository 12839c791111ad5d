import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { consumeChallenge } from './challenges.ts';
import { assertionResponse, relyingParty } from './rules.ts';
import { markPasskeyUsed, passkeyByCredential, type PasskeyRow } from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * Verifies that a passkey signed a challenge of ours and verified its person, and notes its use.
 * `personId` null: any person's. Fails with `passkey.refused`, also when the counter went back:
 * then there is a copy of the passkey.
 */
export async function verifyPasskey(
  ctx: Ctx,
  answer: unknown,
  personId: number | null,
): Promise<PasskeyRow> {
  const parsed = assertionResponse.safeParse(answer);
  if (!parsed.success) return fail('passkey.refused');
  const response = { ...parsed.data, clientExtensionResults: {} };
  const asked = await consumeChallenge(ctx, 'sign_in', response.response.clientDataJSON);
  const passkey = await passkeyByCredential(ctx.db.unscoped, response.id);
  const isTheirs =
    passkey &&
    (personId === null || passkey.person_id === personId) &&
    (asked.personId === null || passkey.person_id === asked.personId);
  if (!isTheirs) return fail('passkey.refused');
  const newCounter = await verifiedCounter(ctx, response, asked.challenge, passkey);
  const isFirst =
    newCounter !== null &&
    (await ctx.db.systemTransaction((tx) => markPasskeyUsed(tx, passkey.id, newCounter, ctx.now)));
  return isFirst ? passkey : fail('passkey.refused');
}

/** The authenticator's counter after this use; null: the signature or another part is wrong. */
async function verifiedCounter(
  ctx: Ctx,
  response: Parameters<typeof verifyAuthenticationResponse>[0]['response'],
  expectedChallenge: string,
  passkey: PasskeyRow,
): Promise<number | null> {
  const { rpID, origin } = relyingParty(ctx.settings.publicUrl);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
        transports: passkey.transports,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    ctx.log.info({ err: error, passkeyId: passkey.id }, 'a passkey was refused');
    return null;
  }
}
