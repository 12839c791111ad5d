import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

// The system role: finds the companies with a step that is due; each is taken in its own transaction.

/** Companies for which a step of dunning is due, the longest first. */
export const companiesToDun = async (tx: Tx, now: Date, most: number): Promise<number[]> =>
  (
    await sql<{ id: number }>`
      select company_id as id from subscription
      where dunning_next_at <= ${now} order by dunning_next_at limit ${most}`.execute(tx)
  ).rows.map(({ id }) => id);
