import { sql } from 'kysely';
import type { Db } from '../../../platform/db.ts';

/**
 * The company whose pool is for this host, the first of several; null: none.
 * The system role: a page of the demo names no company.
 */
export const companyShownOn = (db: Db, host: string): Promise<number | null> =>
  db.systemTransaction(async (tx) => {
    const { rows } = await sql<{ company_id: number }>`select company_id from tracking_pool
      where deleted_at is null and status = 'active'
        and settings -> 'domains' @> ${JSON.stringify([host])}::jsonb
      order by id limit 1`.execute(tx);
    return rows[0]?.company_id ?? null;
  });
