import type { CaddyProvider } from '#contract/caddy/rules';
import type { Tx } from '../../platform/db.ts';

/** The account that signs in with this; null: none. */
export async function accountOf(
  db: Tx,
  provider: CaddyProvider,
  subject: string,
): Promise<number | null> {
  const row = await db
    .selectFrom('caddy_identity')
    .select('account_id')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.account_id ?? null;
}

/** Lets an account sign in with this. False: another one does. */
export async function addIdentity(
  tx: Tx,
  identity: { provider: CaddyProvider; subject: string; account_id: number; created_at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('caddy_identity')
    .values(identity)
    .onConflict((c) => c.columns(['provider', 'subject']).doNothing())
    .executeTakeFirst();
  return Boolean(numInsertedOrUpdatedRows);
}

/** Takes a way to sign in from an account. */
export const removeIdentities = (tx: Tx, accountId: number, provider: CaddyProvider) =>
  tx
    .deleteFrom('caddy_identity')
    .where('account_id', '=', accountId)
    .where('provider', '=', provider)
    .execute();
