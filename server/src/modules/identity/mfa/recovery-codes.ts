import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { sign } from '../../../platform/secrets.ts';
import { RECOVERY_CODES } from '#contract/identity/mfa/rules';
import { newRecoveryCode, plainRecoveryCode } from './rules.ts';
import { replaceRecoveryCodes, useRecoveryCode } from './store.ts';

/** Keyed, because 50 bits can be guessed from a plain hash. */
const hashOf = (secret: Buffer, personId: number, code: string): string =>
  sign(secret, `recovery:${personId}:${plainRecoveryCode(code)}`);

/** Makes ten recovery codes instead of the person's earlier ones. They can't be read again. */
export async function createRecoveryCodes(
  ctx: Pick<Ctx, 'settings' | 'now'>,
  tx: Tx,
  personId: number,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const hashes = codes.map((code) => hashOf(ctx.settings.appSecret, personId, code));
  await replaceRecoveryCodes(tx, personId, hashes, ctx.now);
  return codes;
}

/** Uses a recovery code up. False: unknown or used before. */
export const consumeRecoveryCode = (
  ctx: Pick<Ctx, 'settings' | 'now'>,
  tx: Tx,
  personId: number,
  code: string,
): Promise<boolean> =>
  useRecoveryCode(
    tx,
    personId,
    ctx.settings.appSecrets.map((secret) => hashOf(secret, personId, code)),
    ctx.now,
  );
