/** The order of deliveries, their tries, and what is sent once more. */
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';
import type { DeliveryRow } from './store-deliveries.ts';

/**
 * Makes those who take or settle deliveries about one object wait for each other, until the
 * transaction ends.
 */
export const lockOrder = (
  tx: Tx,
  row: Pick<DeliveryRow, 'company_id' | 'destination_id' | 'order_key'>,
) =>
  sql`select pg_advisory_xact_lock(hashtextextended(
    ${`order:${row.company_id}:${row.destination_id}:${row.order_key ?? ''}`}, 0))`.execute(tx);

/** The delivery about one object that is next to be sent. Undefined: none is waiting. */
export const nextInOrder = (
  tx: Tx,
  row: Pick<DeliveryRow, 'company_id' | 'destination_id' | 'order_key'>,
): Promise<DeliveryRow | undefined> =>
  tx
    .selectFrom('delivery')
    .selectAll()
    .where('company_id', '=', row.company_id)
    .where('destination_id', '=', row.destination_id)
    .where('order_key', '=', row.order_key)
    .where('state', 'in', ['queued', 'failed'])
    .orderBy('event_seq')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

/** After an outage: what waits for its next try is due now. */
export const hasten = (tx: Tx, companyId: number, destinationId: number, now: Date) =>
  sql`update delivery set next_try_at = ${now}
    where company_id = ${companyId} and destination_id = ${destinationId} and state = 'failed'
      and next_try_at > ${now}`.execute(tx);

/** Stores a try of a delivery. */
export const insertAttempt = (tx: Tx, row: Insertable<Tables['delivery_attempt']>) =>
  tx.insertInto('delivery_attempt').values(row).execute();

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
