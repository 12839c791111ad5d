import type { Answer, Body, mfa as contract } from '#contract';
import type { MfaKind } from '#contract/identity/mfa/rules';
import { auditPerson } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { seal, unseal } from '../../../platform/secrets.ts';
import type { PersonRow } from '../present.ts';
import { personById } from '../store.ts';
import { checkCode, countedCheck, wrongCode } from './check-code.ts';
import { factorsChanged } from './factors-changed.ts';
import { createRecoveryCodes } from './recovery-codes.ts';
import { acceptedStep, newTotpSecret } from './rules.ts';
import { consumeSentCode, requireSentKind, sendCode, targetOf } from './send-code.ts';
import {
  activateFactor,
  deleteFactor,
  deleteRecoveryCodes,
  lockFactor,
  setPendingFactor,
  unusedRecoveryCodes,
  type FactorRow,
} from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

const self = async (ctx: Ctx, tx: Tx): Promise<PersonRow> =>
  (await personById(tx, ctx.actor.userId)) ?? notFound();

const kindNames: Record<MfaKind, string> = {
  totp: 'an authenticator app',
  sms: 'codes by text',
  email: 'codes by email',
  recovery: 'recovery codes',
};

/** Sends the signed-in person a code, to set a factor up or to use it. */
export async function sendOwnCode(
  ctx: Ctx,
  kind: MfaKind,
  { phone }: Body<typeof contract.sendMfaCode>,
): Promise<Answer<typeof contract.sendMfaCode>> {
  const sent = requireSentKind(kind);
  return ctx.db.systemTransaction(async (tx) => {
    const person = await self(ctx, tx);
    const target = await targetOf(ctx, tx, person, sent, phone);
    return { data: await sendCode(ctx, tx, person, sent, target) };
  });
}

/**
 * Sets a factor up with its first code. The first factor comes with recovery codes. (It is confirmed:
 * an open browser would be enough to add one, and to lock its person out.)
 */
export async function verifyFactor(
  ctx: Ctx,
  kind: MfaKind,
  { code }: Body<typeof contract.verifyMfa>,
): Promise<Answer<typeof contract.verifyMfa>> {
  if (kind === 'recovery') fail('mfa.not_for_kind');
  const recoveryCodes = await ctx.db.systemTransaction(async (tx) => {
    const person = await self(ctx, tx);
    const factor = await lockFactor(tx, person.id, kind);
    if (!factor) fail('mfa.not_active');
    const isRight = await countedCheck(ctx, tx, person.id, () =>
      activateByCode(ctx, tx, person, factor, code.replace(/\s/g, '')),
    );
    if (!isRight) return null;
    const hasCodes = (await unusedRecoveryCodes(tx, person.id)).length > 0;
    const codes = hasCodes ? [] : await createRecoveryCodes(ctx, tx, person.id);
    await factorsChanged(ctx, tx, person, `You set up ${kindNames[kind]} for signing in.`);
    await auditPerson(ctx, tx, person.id, 'factor.added', { kind });
    return codes;
  });
  if (!recoveryCodes) return wrongCode();
  return {
    data: { kind, enabled: true, recovery_codes: recoveryCodes.length ? recoveryCodes : null },
  };
}

/** Activates what is pending, or what is active already, by its code. False: wrong. */
async function activateByCode(
  ctx: Ctx,
  tx: Tx,
  person: PersonRow,
  factor: FactorRow,
  code: string,
): Promise<boolean> {
  const { appSecrets } = ctx.settings;
  const sealed = factor.pending_sealed ?? factor.secret_sealed;
  const secret = sealed && unseal(appSecrets, sealed);
  if (factor.kind === 'totp') {
    const lastStep = factor.pending_sealed ? null : factor.last_step;
    const step = secret && acceptedStep(secret, code, ctx.now, lastStep);
    if (!step) return false;
    await activateFactor(tx, factor, { secret_sealed: sealed, last_step: step, at: ctx.now });
    return true;
  }
  const kind = requireSentKind(factor.kind as MfaKind);
  const target = kind === 'email' ? person.email : secret;
  if (!target || !(await consumeSentCode(ctx, tx, person.id, kind, target, code))) return false;
  await activateFactor(tx, factor, { secret_sealed: sealed, last_step: null, at: ctx.now });
  return true;
}

/**
 * Sets a factor up again. The old authenticator app works until the new one is verified; recovery
 * codes are replaced at once.
 */
export async function reactivateFactor(
  ctx: Ctx,
  kind: MfaKind,
): Promise<Answer<typeof contract.reactivateMfa>> {
  const codes = await ctx.db.systemTransaction(async (tx) => {
    const person = await self(ctx, tx);
    if (kind === 'recovery') {
      if (!person.mfa_enabled_at) fail('mfa.not_active');
      const fresh = await createRecoveryCodes(ctx, tx, person.id);
      await factorsChanged(ctx, tx, person, 'You made new recovery codes.');
      await auditPerson(ctx, tx, person.id, 'recovery_codes.renewed');
      return fresh;
    }
    if (!(await lockFactor(tx, person.id, kind))?.verified_at) fail('mfa.not_active');
    if (kind === 'totp')
      await setPendingFactor(tx, person.id, kind, seal(ctx.settings.appSecrets, newTotpSecret()));
    else await sendCode(ctx, tx, person, kind, await targetOf(ctx, tx, person, kind));
    return null;
  });
  return { data: { kind, recovery_codes: codes } };
}

/** Removes a factor, with a fresh code of it or after a confirmation. */
export async function removeFactor(
  ctx: Ctx,
  kind: MfaKind,
  { code }: Body<typeof contract.removeMfa>,
): Promise<void> {
  const isRemoved = await ctx.db.systemTransaction(async (tx) => {
    const person = await self(ctx, tx);
    if (code !== undefined && !(await checkCode(ctx, tx, person, kind, code))) return false;
    if (kind === 'recovery') await deleteRecoveryCodes(tx, person.id);
    else {
      if (!(await lockFactor(tx, person.id, kind))) fail('mfa.not_active');
      await deleteFactor(tx, person.id, kind);
    }
    await factorsChanged(ctx, tx, person, `You removed ${kindNames[kind]} from signing in.`);
    await auditPerson(ctx, tx, person.id, 'factor.removed', { kind });
    return true;
  });
  if (!isRemoved) wrongCode();
}
