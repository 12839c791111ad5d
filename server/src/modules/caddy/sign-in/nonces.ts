import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { hashToken, madeWithOneOf, randomToken, sign } from '../../../platform/secrets.ts';
import { providerVisitSeconds } from '#contract/caddy/rules';

type Server = Pick<Ctx, 'settings' | 'now'>;

const signatureOf = (secret: Buffer, provider: string, rest: string): string =>
  sign(secret, `caddy nonce:${provider}:${rest}`);

/** A nonce for an ID token: when it ends, chance, and our signature, so that nothing is stored of it. */
export function createNonce({ settings, now }: Server, provider: string): string {
  const endsAt = now.getTime() + providerVisitSeconds * 1000;
  const rest = `${endsAt.toString(36)}.${randomToken('tln')}`;
  return `${rest}.${signatureOf(settings.appSecret, provider, rest)}`;
}

/** When a nonce of ours ends. Null: it isn't one for this provider, or is over. */
export function endOfNonce({ settings, now }: Server, provider: string, nonce: string | null) {
  const [ends = '', chance = '', signature = ''] = nonce?.split('.') ?? [];
  const isOurs = madeWithOneOf(settings.appSecrets, signature, (secret) =>
    signatureOf(secret, provider, `${ends}.${chance}`),
  );
  const endsAt = new Date(parseInt(ends, 36));
  return isOurs && endsAt > now ? endsAt : null;
}

/** Whether a nonce has opened a session already. */
export const isNonceUsed = async (db: Tx, nonce: string): Promise<boolean> =>
  (await db
    .selectFrom('caddy_used_nonce')
    .select('hash')
    .where('hash', '=', hashToken(nonce))
    .executeTakeFirst()) !== undefined;

/** Uses a nonce up. False: it was used before, also by a transaction at the same time. */
export const takeNonce = async (
  tx: Tx,
  { nonce, endsAt }: { nonce: string; endsAt: Date },
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('caddy_used_nonce')
    .values({ hash: hashToken(nonce), expires_at: endsAt })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return Boolean(numInsertedOrUpdatedRows);
};
