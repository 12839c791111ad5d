import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

// The system role: finds the companies whose period, or month of usage, is over; each is closed in its own transaction.

/** Companies whose period, or month of usage, is over, the longest first. */
export const companiesToClose = async (tx: Tx, now: Date, most: number): Promise<number[]> =>
  (
    await sql<{ id: number }>`
      select company_id as id from subscription
      where state in ('active', 'canceling') and least(period_end, usage_until) <= ${now}
      order by least(period_end, usage_until) limit ${most}`.execute(tx)
  ).rows.map(({ id }) => id);
