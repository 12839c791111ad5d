import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** What is added up: calls, or texts, voicemails and faxes. */
export type Added = 'call' | 'item';

/** Adds up to `most` changes to their days and months, of all companies; returns how many. */
export async function foldRollups(tx: Tx, most: number, of: Added = 'call'): Promise<number> {
  const fold = sql.ref(`fold_${of}_rollups`);
  const { rows } = await sql<{ n: number }>`select ${fold}(${most}) n`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** Counts one more month of a company that isn't counted yet; whether there was one. */
export async function fillRollup(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ was: boolean }>`select fill_call_rollup() was`.execute(tx);
  return rows[0]?.was ?? false;
}

/**
 * The same of texts, voicemails and faxes. `again`: only of companies that have another time zone;
 * what was there before an upgrade is counted as a background fill.
 */
export async function fillItemRollup(tx: Tx, again: boolean): Promise<boolean> {
  const { rows } = await sql<{ was: boolean }>`
    select fill_item_rollup(${again}) is not null was`.execute(tx);
  return rows[0]?.was ?? false;
}

/**
 * Counts one more month of a company anew that wasn't since then. Returns how many sums differed and
 * were put right; null: no company is left.
 */
export async function checkRollup(
  tx: Tx,
  since: Date,
  now: Date,
  of: Added = 'call',
): Promise<number | null> {
  const check = sql.ref(`check_${of}_rollup`);
  const { rows } = await sql<{ n: number | null }>`
    select ${check}(${since}, ${now}) n`.execute(tx);
  return rows[0]?.n ?? null;
}

/** Deletes up to `most` sums by the days of time zones that companies had; returns how many. */
export async function clearRollups(tx: Tx, most: number, of: Added = 'call'): Promise<number> {
  const clear = sql.ref(`clear_${of}_rollups`);
  const { rows } = await sql<{ n: number }>`select ${clear}(${most}) n`.execute(tx);
  return rows[0]?.n ?? 0;
}
