/** Tries of deliveries, and what is sent once more or sooner. */
import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

/** After an outage: what waits for its next try is due now. */
export const hasten = (tx: Tx, companyId: number, destinationId: number, now: Date) =>
  sql`update delivery set next_try_at = ${now}
    where company_id = ${companyId} and destination_id = ${destinationId} and state = 'failed'
      and next_try_at > ${now}`.execute(tx);

/** The latest tries of a delivery, newest first. */
export const attemptsOf = (
  tx: Tx,
  companyId: number,
  deliveryId: number,
): Promise<Selectable<Tables['delivery_attempt']>[]> =>
  tx
    .selectFrom('delivery_attempt')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('delivery_id', '=', deliveryId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute();

/**
 * Queues a destination's deliveries of a period once more; those that a worker has stay with it.
 * Returns how many.
 */
export const requeue = async (
  tx: Tx,
  row: { company_id: number; destination_id: number },
  {
    since,
    until,
    all,
    numbers,
    now,
  }: { since: Date; until: Date; all: boolean; numbers: readonly number[] | null; now: Date },
): Promise<number> =>
  Number(
    (
      await sql`update delivery
        set state = 'queued', attempts = 0, error = null, next_try_at = ${now}
        where company_id = ${row.company_id} and destination_id = ${row.destination_id}
          and created_at between ${since} and ${until}
          and state = any(${all ? ['dead', 'sent', 'skipped'] : ['dead']}::text[])
          ${numbers ? sql`and number_id = any(${[...numbers]}::bigint[])` : sql``}`.execute(tx)
    ).numAffectedRows ?? 0,
  );
