import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/** The database's time, which all workers share. */
export const databaseNow = async (tx: Tx): Promise<Date> =>
  (await sql<{ now: Date }>`select clock_timestamp() now`.execute(tx)).rows[0]!.now;
