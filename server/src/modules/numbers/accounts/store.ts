import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import { isWorking, type AccountState } from '../../../gateways/carrier-accounts.ts';

export type AccountRow = Selectable<Tables['carrier_account']>;

/** Every carrier checked so far. Reads as the system role. */
export const accountRows = (db: Tx): Promise<AccountRow[]> =>
  db.selectFrom('carrier_account').selectAll().execute();

/**
 * Stores the result of a check and returns the previous state; null: first check. Serialized by an
 * advisory lock.
 */
export async function upsertAccount(
  tx: Tx,
  account: AccountState,
  now: Date,
): Promise<string | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended('carrier_account', 0))`.execute(tx);
  const before = await tx
    .selectFrom('carrier_account')
    .selectAll()
    .where('carrier', '=', account.name)
    .executeTakeFirst();
  const row = {
    carrier: account.name,
    state: account.state,
    sentence: account.sentence,
    checked_at: now,
    since: before?.state === account.state ? before.since : now,
    last_worked_at: isWorking(account.state) ? now : (before?.last_worked_at ?? null),
  };
  await tx
    .insertInto('carrier_account')
    .values(row)
    .onConflict((c) => c.column('carrier').doUpdateSet(row))
    .execute();
  return before?.state ?? null;
}

/** Every company, because carriers belong to the installation. */
export const allCompanyIds = async (tx: Tx): Promise<number[]> =>
  (await tx.selectFrom('company').select('id').execute()).map((c) => c.id);

interface HeldNumbers {
  provider: number;
  /** One of the carrier's IDs for them; null: they have none. */
  ref: string | null;
  numbers: number;
  companies: number[];
}
/** Numbers that companies hold, in the groups that one carrier carries (`Carriers.forNumber`). */
export const numbersByProvider = async (db: Tx): Promise<HeldNumbers[]> =>
  (
    await sql<HeldNumbers>`select provider_id as provider, max(provider_ref) as ref,
        count(*)::int as numbers, array_agg(distinct company_id) as companies
      from number where released_at is null
      group by provider_id, provider_ref is null, provider_ref ~ '^(sb|sandbox)-'`.execute(db)
  ).rows;
