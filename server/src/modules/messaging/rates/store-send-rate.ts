import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { Recent } from './sliding-window.ts';

/** A shared limit's usage. Times are milliseconds since 1970; null: nothing is reserved. */
export interface SendRate {
  key: string;
  recent: Recent;
  /** People's texts have reserved capacity until then. */
  reservedUntilMs: number | null;
  /** The same of automatic texts, which wait behind people's. */
  automaticReservedUntilMs: number | null;
}
interface RateRow extends Pick<
  Selectable<Tables['send_rate']>,
  'key' | 'reserved_until' | 'automatic_reserved_until'
> {
  recent: Recent;
  /** The database's clock after the row was locked, in milliseconds since 1970. */
  ms: number;
}

/**
 * Locks some rates until the transaction ends, always in the same order, and reads the clock once
 * they are locked: the database's, because workers on several machines share them. Every text that
 * is sent waits here, so it is one statement.
 */
export async function lockRates(
  tx: Tx,
  companyId: number,
  keys: readonly string[],
): Promise<{ rates: Map<string, SendRate>; nowMs: number }> {
  const sorted = [...keys].sort();
  let rows = await lockRows(tx, companyId, sorted);
  if (rows.length < sorted.length) {
    await sql`insert into send_rate (company_id, key)
      select ${companyId}, k from unnest(${sorted}::text[]) k on conflict do nothing`.execute(tx);
    rows = await lockRows(tx, companyId, sorted);
  }
  return {
    rates: new Map(rows.map((row) => [row.key, rateOf(row)])),
    nowMs: Math.max(...rows.map((row) => row.ms)),
  };
}
// The clock is read row by row, each time after that row's lock: the latest reading follows all
// locks.
const lockRows = async (
  tx: Tx,
  companyId: number,
  sortedKeys: readonly string[],
): Promise<RateRow[]> =>
  (
    await sql<RateRow>`with held as materialized (
      select key, recent, reserved_until, automatic_reserved_until from send_rate
      where company_id = ${companyId} and key = any(${[...sortedKeys]}::text[])
      order by key for update)
    select held.*, (extract(epoch from clock_timestamp()) * 1000)::float8 ms from held`.execute(tx)
  ).rows;
const rateOf = (row: RateRow): SendRate => ({
  key: row.key,
  recent: row.recent,
  reservedUntilMs: row.reserved_until?.getTime() ?? null,
  automaticReservedUntilMs: row.automatic_reserved_until?.getTime() ?? null,
});

/** Stores what was sent, rate by rate. */
export const saveRecent = (
  tx: Tx,
  companyId: number,
  rates: readonly { key: string; recent: Recent }[],
) => {
  const changed = JSON.stringify(rates.map(({ key, recent }) => ({ key, recent })));
  return sql`update send_rate r set recent = g.recent
    from jsonb_to_recordset(${changed}::jsonb) g (key text, recent jsonb)
    where r.company_id = ${companyId} and r.key = g.key`.execute(tx);
};

/** Stores until when capacity is reserved, for people's texts or for automatic ones. */
export const saveReservation = (
  tx: Tx,
  companyId: number,
  key: string,
  reservedUntilMs: number,
  automatic: boolean,
) => {
  const until = new Date(reservedUntilMs);
  return tx
    .updateTable('send_rate')
    .set(automatic ? { automatic_reserved_until: until } : { reserved_until: until })
    .where('company_id', '=', companyId)
    .where('key', '=', key)
    .execute();
};
