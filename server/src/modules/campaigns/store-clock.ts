import { sql } from 'kysely';
import { oneRow, type Tx } from '../../platform/db.ts';

/** The database's time, which all workers share. */
export const databaseNow = async (tx: Tx): Promise<Date> =>
  (await oneRow(tx, sql<{ now: Date }>`select clock_timestamp() now`)).now;
