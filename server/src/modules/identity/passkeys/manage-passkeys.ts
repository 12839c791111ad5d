import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { AuditAction } from '#contract/settings/audit/actions';
import type { Answer, Body, passkeys as contract } from '#contract';
import { auditPerson } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { factorsChanged } from '../mfa/factors-changed.ts';
import { createRecoveryCodes } from '../mfa/recovery-codes.ts';
import { unusedRecoveryCodes } from '../mfa/store.ts';
import { fullName } from '../rules.ts';
import { requireWayIn } from '../store-ways-in.ts';
import { lockPerson, ownRow } from '../store.ts';
import { consumeChallenge, keepChallenge } from './challenges.ts';
import { MAX_PASSKEYS, registrationResponse, relyingParty } from './rules.ts';
import {
  deletePasskey,
  insertPasskey,
  passkeysOf,
  updatePasskeyName,
  type PasskeyRow,
} from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

const present = (p: PasskeyRow) => ({
  id: p.id,
  name: p.name,
  created_at: p.created_at.toISOString(),
  last_used_at: p.last_used_at?.toISOString() ?? null,
});

/** The signed-in person's passkeys. */
export const listPasskeys = async (ctx: Ctx): Promise<Answer<typeof contract.listPasskeys>> => ({
  data: (await ctx.readOnly(({ tx }) => passkeysOf(tx, ctx.actor.userId))).map(present),
});

/** What a browser needs to create a passkey that works on its own and verifies its person. */
export async function passkeyCreationOptions(
  ctx: Ctx,
): Promise<Answer<typeof contract.passkeyCreationOptions>> {
  const { person, existing } = await ctx.readOnly(async ({ tx }) => ({
    person: (await ownRow(tx)) ?? notFound(),
    existing: await passkeysOf(tx, ctx.actor.userId),
  }));
  if (existing.length >= MAX_PASSKEYS) fail('passkey.limit', { n: MAX_PASSKEYS });
  const options = await generateRegistrationOptions({
    rpName: 'Trunkline',
    rpID: relyingParty(ctx.settings.publicUrl).rpID,
    userName: person.email,
    userDisplayName: fullName(person),
    userID: new TextEncoder().encode(String(person.id)),
    attestationType: 'none',
    excludeCredentials: existing.map((p) => ({ id: p.credential_id, transports: p.transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await keepChallenge(ctx, 'register', options.challenge, person.id);
  return { data: { ...options } };
}

/** Adds the passkey that the browser created. Fails with `passkey.refused`. */
export async function createPasskey(
  ctx: Ctx,
  { name, passkey }: Body<typeof contract.createPasskey>,
): Promise<Answer<typeof contract.createPasskey>> {
  const credential = await verifiedCredential(ctx, passkey);
  const data = await ctx.transaction(async ({ tx }) => {
    const person = (await ownRow(tx)) ?? notFound();
    await lockPerson(tx, person.id);
    if ((await passkeysOf(tx, person.id)).length >= MAX_PASSKEYS)
      fail('passkey.limit', { n: MAX_PASSKEYS });
    const row = await insertPasskey(tx, {
      person_id: person.id,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: credential.transports ?? [],
      name,
      created_at: ctx.now,
    });
    if (!row) return fail('passkey.refused');
    const hasCodes = (await unusedRecoveryCodes(tx, person.id)).length > 0;
    const recoveryCodes = hasCodes ? null : await createRecoveryCodes(ctx, tx, person.id);
    await factorsChanged(ctx, tx, person, `You added the passkey “${name}”.`);
    return { ...present(row), recovery_codes: recoveryCodes };
  });
  await recordChange(ctx, 'passkey.added', name);
  return { data };
}

async function verifiedCredential(ctx: Ctx, answer: unknown) {
  const parsed = registrationResponse.safeParse(answer);
  if (!parsed.success) return fail('passkey.refused');
  const response = { ...parsed.data, clientExtensionResults: {} };
  const asked = await consumeChallenge(ctx, 'register', response.response.clientDataJSON);
  if (asked.personId !== ctx.actor.userId) return fail('passkey.refused');
  const { rpID, origin } = relyingParty(ctx.settings.publicUrl);
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: asked.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    ctx.log.info({ err: error }, 'a new passkey was refused');
    return null;
  });
  if (!result?.verified) return fail('passkey.refused');
  return result.registrationInfo.credential;
}

/** Renames a passkey of the signed-in person. */
export const renamePasskey = async (
  ctx: Ctx,
  id: number,
  { name }: Body<typeof contract.renamePasskey>,
): Promise<Answer<typeof contract.renamePasskey>> => {
  const data = await ctx.transaction(async ({ tx }) => {
    const person = (await ownRow(tx)) ?? notFound();
    const row = (await updatePasskeyName(tx, person.id, id, name)) ?? notFound();
    await factorsChanged(ctx, tx, person, `You renamed a passkey to “${name}”.`);
    return present(row);
  });
  await recordChange(ctx, 'passkey.renamed', data.name);
  return { data };
};

/** Removes a passkey of the signed-in person. Fails with `sign_in.last_way`. */
export async function removePasskey(ctx: Ctx, id: number): Promise<void> {
  const name = await ctx.transaction(async ({ tx }) => {
    const person = (await ownRow(tx)) ?? notFound();
    await lockPerson(tx, person.id);
    const row = (await deletePasskey(tx, person.id, id)) ?? notFound();
    await requireWayIn(ctx, tx, person.id);
    await factorsChanged(ctx, tx, person, `You removed the passkey “${row.name}”.`);
    return row.name;
  });
  await recordChange(ctx, 'passkey.removed', name);
}

/** Within their own wall a person reaches no company's log, so the row follows the change. */
const recordChange = (ctx: Ctx, action: AuditAction, name: string): Promise<void> =>
  ctx.db.systemTransaction((tx) => auditPerson(ctx, tx, ctx.actor.userId, action, { name }));
