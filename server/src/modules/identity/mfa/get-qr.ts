import QRCode from 'qrcode';
import type { Answer, mfa as contract } from '#contract';
import type { MfaKind } from '#contract/identity/mfa/rules';
import type { Ctx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { seal, unseal } from '../../../platform/secrets.ts';
import { lockPerson, personById } from '../store.ts';
import { newTotpSecret, totpOf } from './rules.ts';
import { lockFactor, setPendingFactor } from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * The secret of an authenticator app that is being set up; the same until it is verified. A secret
 * in use is never shown again: fails with `mfa.already_active`.
 */
export async function getQr(ctx: Ctx, kind: MfaKind): Promise<Answer<typeof contract.mfaQr>> {
  if (kind !== 'totp') fail('mfa.not_for_kind');
  const { appSecrets } = ctx.settings;
  const { email, secret } = await ctx.db.systemTransaction(async (tx) => {
    const person = (await personById(tx, ctx.actor.userId)) ?? notFound();
    await lockPerson(tx, person.id);
    const factor = await lockFactor(tx, person.id, kind);
    if (factor?.pending_sealed)
      return { email: person.email, secret: unseal(appSecrets, factor.pending_sealed) };
    if (factor?.verified_at) fail('mfa.already_active');
    const fresh = newTotpSecret();
    await setPendingFactor(tx, person.id, kind, seal(appSecrets, fresh));
    return { email: person.email, secret: fresh };
  });
  const url = totpOf(secret, email).toString();
  const svg = await QRCode.toString(url, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' });
  return { data: { secret, otpauth_url: url, svg } };
}
