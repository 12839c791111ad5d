/** What was delivered, and what is to be. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

export type DeliveryRow = Selectable<Tables['delivery']>;

/** Stores a delivery, unless there is one with its key. */
export const insertDelivery = (tx: Tx, row: Insertable<Tables['delivery']>) =>
  tx
    .insertInto('delivery')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'destination_id', 'dedupe_key']).doNothing(),
    )
    .execute();

/** A delivery. Undefined: none of this ID. */
export const deliveryRow = (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<DeliveryRow | undefined> =>
  tx
    .selectFrom('delivery')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();

/** A delivery, locked until the transaction ends. Undefined: none of this ID. */
export const lockDelivery = (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<DeliveryRow | undefined> =>
  tx
    .selectFrom('delivery')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Changes a delivery and returns it; throws when there is none of this ID. */
export const patchDelivery = (
  tx: Tx,
  companyId: number,
  id: number,
  values: Updateable<Tables['delivery']>,
): Promise<DeliveryRow> =>
  tx
    .updateTable('delivery')
    .set(values)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Every delivery of a call, oldest first. */
export const deliveriesOfCall = (
  tx: Tx,
  companyId: number,
  callId: number,
): Promise<DeliveryRow[]> => ofCall(tx, companyId, callId).execute();

/** The same, locked until the transaction ends, so that none is taken meanwhile. */
export const lockDeliveriesOfCall = (
  tx: Tx,
  companyId: number,
  callId: number,
): Promise<DeliveryRow[]> => ofCall(tx, companyId, callId).forUpdate().execute();

const ofCall = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('delivery')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('subject_type', '=', 'call')
    .where('subject_id', '=', callId)
    .orderBy('created_at')
    .orderBy('id');

/** The last delivery of a thread since a moment. Undefined: none. */
export const lastOfThread = (
  tx: Tx,
  { company_id, destination_id }: Pick<DeliveryRow, 'company_id' | 'destination_id'>,
  threadKey: string,
  since: Date,
): Promise<DeliveryRow | undefined> =>
  tx
    .selectFrom('delivery')
    .selectAll()
    .where('company_id', '=', company_id)
    .where('destination_id', '=', destination_id)
    .where('thread_key', '=', threadKey)
    .where('happened_at', '>', since)
    .orderBy('thread_no', 'desc')
    .limit(1)
    .executeTakeFirst();

/** How the receiver named the first delivery of a thread. Null: it has not. */
export const rootReference = async (
  tx: Tx,
  row: Pick<DeliveryRow, 'company_id' | 'destination_id' | 'thread_key' | 'thread_root'>,
): Promise<string | null> =>
  row.thread_key === null
    ? null
    : ((
        await tx
          .selectFrom('delivery')
          .select('external_ref')
          .where('company_id', '=', row.company_id)
          .where('destination_id', '=', row.destination_id)
          .where('thread_key', '=', row.thread_key)
          .where('thread_root', '=', row.thread_root)
          .where('external_ref', 'is not', null)
          .orderBy('thread_no')
          .limit(1)
          .executeTakeFirst()
      )?.external_ref ?? null);

/**
 * One page of a destination's deliveries about these numbers (null: all), newest first, and how many
 * there are.
 */
export async function deliveryPage(
  tx: Tx,
  companyId: number,
  destinationId: number,
  q: {
    numbers: readonly number[] | null;
    state?: string | undefined;
    event?: string | undefined;
    perPage: number;
    page: number;
  },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  let matching = tx
    .selectFrom('delivery')
    .where('company_id', '=', companyId)
    .where('destination_id', '=', destinationId);
  if (q.numbers) matching = matching.where('number_id', 'in', [0, ...q.numbers]);
  if (q.state) matching = matching.where('state', '=', q.state);
  if (q.event) matching = matching.where('event', '=', q.event);
  const rows = await matching
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(q.perPage)
    .offset((q.page - 1) * q.perPage)
    .execute();
  const counted = await matching
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .executeTakeFirst();
  return { rows, total: Number(counted?.n ?? 0) };
}

/** How many deliveries since a moment were sent, and how many were given up, by destination. */
export async function countsSince(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  since: Date,
): Promise<Map<number, { sent: number; failed: number }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; sent: number; failed: number }>`
    select destination_id as id, count(*) filter (where state = 'sent')::int as sent,
      count(*) filter (where state in ('failed', 'dead'))::int as failed
    from delivery
    where company_id = ${companyId} and destination_id = any(${[...ids]}::bigint[])
      and created_at >= ${since}
    group by destination_id`.execute(tx);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
