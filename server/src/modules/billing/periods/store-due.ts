import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

// The system role: finds the companies whose period is over; each is closed in its own transaction.

/** Companies whose period is over, the longest first. */
export const companiesToClose = async (tx: Tx, now: Date, most: number): Promise<number[]> =>
  (
    await sql<{ id: number }>`
      select company_id as id from subscription
      where state in ('active', 'canceling') and period_end <= ${now}
      order by period_end limit ${most}`.execute(tx)
  ).rows.map(({ id }) => id);
