import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** Accounts whose app wasn't opened since a time, of all companies. */
export const unopenedAccounts = async (db: Tx, before: Date): Promise<number[]> =>
  (
    await db
      .selectFrom('caddy_account')
      .select('company_id')
      .where('last_opened_at', '<', before)
      .where('erase_at', 'is', null)
      .execute()
  ).map((row) => row.company_id);

/** Accounts whose time to be erased has come. */
export const accountsToErase = async (db: Tx, now: Date): Promise<number[]> =>
  (
    await db.selectFrom('caddy_account').select('company_id').where('erase_at', '<=', now).execute()
  ).map((row) => row.company_id);

/**
 * Erases all rows of an account but its books. Returns the tables that still have rows; none: it is
 * done.
 */
export async function eraseRows(tx: Tx, accountId: number): Promise<string[]> {
  await sql`select erase_caddy_proofs(${accountId})`.execute(tx);
  const { rows } = await sql<{ left: string[] }>`
    select erase_caddy_account(${accountId}) as left`.execute(tx);
  return rows[0]?.left ?? [];
}
