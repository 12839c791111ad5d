import type { Answer, mfa as contract } from '#contract';
import { mfaKinds } from '#contract/identity/mfa/rules';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { notFound } from '../../../platform/errors.ts';
import { unseal } from '../../../platform/secrets.ts';
import { passkeysOf } from '../passkeys/store.ts';
import type { PersonRow } from '../present.ts';
import { ownRow } from '../store.ts';
import { maskTarget } from './rules.ts';
import { factorsOf, lastRecoveryUse, unusedRecoveryCodes, type FactorRow } from './store.ts';

type Factor = Answer<typeof contract.listMfa>['data'][number];
type Method = { kind: Factor['kind'] | 'passkey'; masked: string | null };

/** Every kind of factor with what the signed-in person has set up of it. */
export async function listFactors(ctx: Ctx): Promise<Answer<typeof contract.listMfa>> {
  const { userId } = ctx.actor;
  const { person, factors, codes, lastUsed } = await ctx.readOnly(async ({ tx }) => ({
    person: (await ownRow(tx)) ?? notFound(),
    factors: await factorsOf(tx, userId),
    codes: await unusedRecoveryCodes(tx, userId),
    lastUsed: await lastRecoveryUse(tx, userId),
  }));
  const iso = (at: Date | null | undefined) => at?.toISOString() ?? null;
  return {
    data: mfaKinds.map((kind): Factor => {
      if (kind === 'recovery')
        return {
          kind,
          enabled: codes.length > 0,
          verified_at: iso(codes[0]?.created_at),
          masked: null,
          last_used_at: iso(lastUsed),
          remaining: codes.length,
        };
      const found = factors.find((f) => f.kind === kind && f.verified_at);
      return {
        kind,
        enabled: Boolean(found),
        verified_at: iso(found?.verified_at),
        masked: found || kind === 'email' ? maskedTarget(ctx, person, kind, found) : null,
        last_used_at: iso(found?.last_used_at),
        remaining: null,
      };
    }),
  };
}

function maskedTarget(
  { settings }: Pick<Ctx, 'settings'>,
  person: Pick<PersonRow, 'email'>,
  kind: 'totp' | 'sms' | 'email',
  factor: FactorRow | undefined,
): string | null {
  if (kind === 'email') return maskTarget(kind, person.email);
  return kind === 'sms' && factor?.secret_sealed
    ? maskTarget(kind, unseal(settings.appSecrets, factor.secret_sealed))
    : null;
}

/** The ways in which a person can finish a sign-in; none: the password is enough. */
export async function methodsOf(
  ctx: Pick<Ctx, 'settings'>,
  tx: Tx,
  person: PersonRow,
): Promise<Method[]> {
  const factors = (await factorsOf(tx, person.id)).filter((f) => f.verified_at);
  const hasPasskey = (await passkeysOf(tx, person.id)).length > 0;
  const methods = (['totp', 'sms', 'email'] as const).flatMap((kind): Method[] => {
    const found = factors.find((f) => f.kind === kind);
    return found ? [{ kind, masked: maskedTarget(ctx, person, kind, found) }] : [];
  });
  if (!hasPasskey && !methods.length) return [];
  const hasCodes = (await unusedRecoveryCodes(tx, person.id)).length > 0;
  return [
    ...(hasPasskey ? [{ kind: 'passkey' as const, masked: null }] : []),
    ...methods,
    ...(hasCodes ? [{ kind: 'recovery' as const, masked: null }] : []),
  ];
}
