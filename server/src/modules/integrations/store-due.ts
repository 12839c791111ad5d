/** Deliveries that are due: found by destination, claimed and settled many at a time. */
import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { DeliveryRow } from './store-deliveries.ts';

export interface Place {
  company_id: number;
  destination_id: number;
}

/**
 * Destinations of all companies with deliveries that are due and that no worker has. Each is one step in
 * the index, however much waits.
 */
export const destinationsDue = async (db: Tx, now: Date): Promise<Place[]> =>
  (
    await sql<Place>`with recursive places as (
      (select company_id, destination_id from delivery where state in ('queued', 'failed')
        order by company_id, destination_id limit 1)
      union all
      select next.company_id, next.destination_id from places, lateral (
        select d.company_id, d.destination_id from delivery d
        where d.state in ('queued', 'failed')
          and (d.company_id, d.destination_id) > (places.company_id, places.destination_id)
        order by d.company_id, d.destination_id limit 1) next)
    select company_id, destination_id from places
    where exists (select from delivery d
      where d.company_id = places.company_id and d.destination_id = places.destination_id
        and d.state in ('queued', 'failed') and d.next_try_at <= ${now}
        and (d.claimed_until is null or d.claimed_until < ${now}))`.execute(db)
  ).rows;

/**
 * What can be sent to a destination now, oldest first, locked until the transaction ends: due, with no
 * worker, and not behind another one about the same object.
 */
export const claimable = (
  tx: Tx,
  { companyId, destinationId }: { companyId: number; destinationId: number },
  now: Date,
  most: number,
): Promise<DeliveryRow[]> =>
  tx
    .selectFrom('delivery')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('destination_id', '=', destinationId)
    .where('state', 'in', ['queued', 'failed'])
    .where('next_try_at', '<=', now)
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<', now)]))
    .where(
      sql<boolean>`(order_key is null or not exists (select from delivery before
        where before.company_id = delivery.company_id
          and before.destination_id = delivery.destination_id
          and before.order_key = delivery.order_key and before.state in ('queued', 'failed')
          and (before.event_seq, before.id) < (delivery.event_seq, delivery.id)))`,
    )
    // What the first of a thread is called there is known when it was sent.
    .where(
      sql<boolean>`(thread_key is null or not exists (select from delivery sending
        where sending.company_id = delivery.company_id
          and sending.destination_id = delivery.destination_id
          and sending.thread_key = delivery.thread_key and sending.claimed_until >= ${now}
          and sending.state in ('queued', 'failed')))`,
    )
    .orderBy('next_try_at')
    .orderBy('event_seq')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute();

/** Keeps other workers from deliveries until then. */
export const claim = (tx: Tx, companyId: number, ids: readonly number[], until: Date) =>
  sql`update delivery set claimed_until = ${until}
    where company_id = ${companyId} and id = any(${[...ids]}::bigint[])`.execute(tx);

/** Gives up what can't be sent any more; what follows it goes on. */
export const giveUp = (tx: Tx, companyId: number, ids: readonly number[], error: string) =>
  sql`update delivery set state = 'dead', error = ${error}, claimed_until = null
    where company_id = ${companyId} and id = any(${[...ids]}::bigint[])`.execute(tx);

/** Sends it another time; that is no failed try. */
export const postpone = (tx: Tx, companyId: number, id: number, until: Date) =>
  sql`update delivery set next_try_at = ${until}, claimed_until = null
    where company_id = ${companyId} and id = ${id}`.execute(tx);

/** Those of these that are still to be sent, locked until the transaction ends. */
export const lockDeliveries = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<DeliveryRow[]> =>
  tx
    .selectFrom('delivery')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', 'in', ids)
    .where('state', 'in', ['queued', 'failed'])
    .orderBy('id')
    .forUpdate()
    .execute();

/** What became of a try. */
export interface StoredOutcome {
  id: number;
  state: string;
  attempts: number;
  request_redacted: string;
  response_code: number | null;
  response_excerpt: string | null;
  error: string | null;
  /** Null: as before. */
  external_ref: string | null;
  sent_at: Date | null;
  /** Null: it isn't tried again. */
  next_try_at: Date | null;
  duration_ms: number;
}

/** Stores what became of deliveries, which no worker has any more. */
export const storeOutcomes = async (
  tx: Tx,
  companyId: number,
  outcomes: readonly StoredOutcome[],
): Promise<void> => {
  if (outcomes.length > 0)
    await sql`update delivery d set state = o.state, attempts = o.attempts, claimed_until = null,
        request_redacted = o.request_redacted, response_code = o.response_code,
        response_excerpt = o.response_excerpt, error = o.error,
        external_ref = coalesce(o.external_ref, d.external_ref),
        sent_at = coalesce(o.sent_at, d.sent_at), next_try_at = coalesce(o.next_try_at, d.next_try_at)
      from json_to_recordset(${JSON.stringify(outcomes)}::json) o(id bigint, state text,
        attempts int, request_redacted text, response_code int, response_excerpt text, error text,
        external_ref text, sent_at timestamptz, next_try_at timestamptz)
      where d.company_id = ${companyId} and d.id = o.id`.execute(tx);
};

/** Stores a try of each. */
export const insertAttempts = async (
  tx: Tx,
  companyId: number,
  at: Date,
  outcomes: readonly StoredOutcome[],
): Promise<void> => {
  if (outcomes.length > 0)
    await tx
      .insertInto('delivery_attempt')
      .values(
        outcomes.map(({ id, duration_ms, response_code, response_excerpt, error }) => ({
          ...{ company_id: companyId, delivery_id: id, at, duration_ms },
          ...{ response_code, response_excerpt, error },
        })),
      )
      .execute();
};
