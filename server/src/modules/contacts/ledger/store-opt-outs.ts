import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/**
 * Locks the number's opt-out until the transaction ends: shared for senders, exclusive for changes.
 * Otherwise a STOP could commit between a sender's check and its commit.
 */
export const lockOptOut = (
  tx: Tx,
  companyId: number,
  number: string,
  mode: 'to_send' | 'to_change',
) =>
  sql`select ${sql.raw(mode === 'to_send' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')}(hashtextextended(${`opt_out:${companyId}:${number}`},
        0))`.execute(tx);

/** Those of the numbers (E.164) that are opted out of the company's texts. */
export const optedOutNumbers = async (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<Set<string>> =>
  new Set(
    numbers.length
      ? (
          await tx
            .selectFrom('opt_out')
            .select('number')
            .where('company_id', '=', companyId)
            .where('number', 'in', [...numbers])
            .execute()
        ).map((r) => r.number)
      : [],
  );
/** Whether a number is opted out of the texts of any of these companies. */
export const optedOutOfAny = async (
  tx: Tx,
  companyIds: readonly number[],
  number: string,
): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('opt_out')
      .select('number')
      .where('company_id', '=', sql<number>`any(${[...companyIds]}::bigint[])`)
      .where('number', '=', number)
      .limit(1)
      .executeTakeFirst(),
  );
/** A number's opt-out. Undefined: opted in. */
export const optOutOf = (tx: Tx, companyId: number, number: string) =>
  tx
    .selectFrom('opt_out')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('number', '=', number)
    .executeTakeFirst();

/** The opt-outs of these numbers; the others are opted in. */
export const optOutsOf = (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<{ number: string; opted_out_at: Date }[]> =>
  numbers.length
    ? tx
        .selectFrom('opt_out')
        .select(['number', 'opted_out_at'])
        .where('company_id', '=', companyId)
        .where('number', 'in', [...numbers])
        .execute()
    : Promise.resolve([]);

/** False: the number was opted out already. */
export const insertOptOut = async (
  tx: Tx,
  row: {
    company_id: number;
    number: string;
    source: string;
    number_id: number | null;
    opted_out_at: Date;
  },
) =>
  (await tx
    .insertInto('opt_out')
    .values(row)
    .onConflict((c) => c.columns(['company_id', 'number']).doNothing())
    .returning('number')
    .executeTakeFirst()) !== undefined;
/** Opts a number in again. False: it was not opted out. */
export const deleteOptOut = async (tx: Tx, companyId: number, number: string) =>
  (await tx
    .deleteFrom('opt_out')
    .where('company_id', '=', companyId)
    .where('number', '=', number)
    .returning('number')
    .executeTakeFirst()) !== undefined;
/**
 * Adds to the record of opt-outs that is kept as evidence. `number_id` and `proof` are null where
 * unknown.
 */
export const insertOptOutHistory = (
  tx: Tx,
  row: {
    company_id: number;
    number: string;
    action: 'out' | 'in';
    source: string;
    number_id: number | null;
    proof: string | null;
    actor_id: number | null;
    actor_name: string | null;
    at: Date;
  },
) => tx.insertInto('opt_out_history').values(row).execute();
