import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Recent } from './sliding-window.ts';

export interface SendRate {
  key: string;
  recent: Recent;
  reservedUntilMs: number | null;
}
interface Row {
  key: string;
  recent: Recent;
  reserved_until: Date | null;
  ms: number;
}

/**
 * Hold some buckets until the transaction ends, always in the same order, and tell what time it is once they are held. The
 * database's clock, because workers on several machines share them. Everybody who sends waits here, so it is one question.
 */
export async function lockRates(
  tx: Tx,
  companyId: number,
  keys: readonly string[],
): Promise<{ rates: Map<string, SendRate>; nowMs: number }> {
  const sorted = [...keys].sort();
  // The clock is read row by row, each time after that row's lock: the latest reading comes after all of them.
  const lock = async () =>
    (
      await sql<Row>`with held as materialized (select key, recent, reserved_until from send_rate where company_id = ${companyId} and key = any(${sorted}::text[]) order by key for update)
    select held.*, (extract(epoch from clock_timestamp()) * 1000)::float8 ms from held`.execute(tx)
    ).rows;
  let rows = await lock();
  if (rows.length < sorted.length) {
    await sql`insert into send_rate (company_id, key) select ${companyId}, k from unnest(${sorted}::text[]) k on conflict do nothing`.execute(
      tx,
    );
    rows = await lock();
  }
  return {
    rates: new Map(
      rows.map((r) => [
        r.key,
        { key: r.key, recent: r.recent, reservedUntilMs: r.reserved_until?.getTime() ?? null },
      ]),
    ),
    nowMs: Math.max(...rows.map((r) => r.ms)),
  };
}

/** What was sent now, bucket by bucket. */
export const saveRecent = (
  tx: Tx,
  companyId: number,
  rates: readonly { key: string; recent: Recent }[],
) =>
  sql`update send_rate r set recent = g.recent from jsonb_to_recordset(${JSON.stringify(rates.map(({ key, recent }) => ({ key, recent })))}::jsonb) g (key text, recent jsonb) where r.company_id = ${companyId} and r.key = g.key`.execute(
    tx,
  );
export const saveReservation = (tx: Tx, companyId: number, key: string, reservedUntilMs: number) =>
  sql`update send_rate set reserved_until = to_timestamp(${reservedUntilMs / 1000}::float8) where company_id = ${companyId} and key = ${key}`.execute(
    tx,
  );
