import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** Adds up to `most` changes of calls to their days and months, of all companies; returns how many. */
export async function foldRollups(tx: Tx, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select fold_call_rollups(${most}) n`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** Counts one more month of a company that isn't counted yet; whether there was one. */
export async function fillRollup(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ was: boolean }>`select fill_call_rollup() was`.execute(tx);
  return rows[0]?.was ?? false;
}

/**
 * Counts one more month of a company anew that wasn't since then. Returns how many sums differed and
 * were put right; null: no company is left.
 */
export async function checkRollup(tx: Tx, since: Date, now: Date): Promise<number | null> {
  const { rows } = await sql<{ n: number | null }>`
    select check_call_rollup(${since}, ${now}) n`.execute(tx);
  return rows[0]?.n ?? null;
}

/** Deletes up to `most` sums by the days of time zones that companies had; returns how many. */
export async function clearRollups(tx: Tx, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select clear_call_rollups(${most}) n`.execute(tx);
  return rows[0]?.n ?? 0;
}
