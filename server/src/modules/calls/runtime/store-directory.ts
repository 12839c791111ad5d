/** Carrier events, and which call or number they belong to before the company is known. */
import { sql } from 'kysely';
import type { VoiceEvent } from '../../../gateways/voice.ts';
import type { Db, Tx } from '../../../platform/db.ts';
import type { CallRef } from './call-ref.ts';

/** Stores a carrier event. False: a duplicate. */
export async function insertEvent(
  tx: Tx,
  companyId: number,
  carrier: string,
  callId: number,
  event: VoiceEvent,
  now: Date,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('call_event')
    .values({
      company_id: companyId,
      carrier,
      event_id: event.id,
      call_id: callId,
      event: JSON.stringify(event),
      received_at: now,
    })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Claims a carrier's call id for our call. False: claimed before (a duplicate announcement). */
export async function insertCarrierCall(
  tx: Tx,
  carrier: string,
  carrierCall: string,
  callId: number,
): Promise<boolean> {
  const { rows } = await sql<{
    mine: boolean;
  }>`select claim_call(${carrier}, ${carrierCall}, ${callId}) mine`.execute(tx);
  return rows[0]?.mine ?? false;
}
/** Takes the events that arrived before the call was announced. */
export async function popEarlyEvents(
  tx: Tx,
  carrier: string,
  carrierCall: string,
): Promise<VoiceEvent[]> {
  return (
    await sql<{
      event: VoiceEvent;
    }>`select event from take_early_events(${carrier}, ${carrierCall}) event`.execute(tx)
  ).rows.map((r) => r.event);
}
/** Our call for a carrier's call id; null = unknown. Read before the company is known. */
export async function callRefOfCarrierCall(
  db: Db,
  carrier: string,
  carrierCall: string,
): Promise<CallRef | null> {
  const row = await db.unscoped
    .selectFrom('carrier_call_index')
    .select(['company_id', 'call_id'])
    .where('carrier', '=', carrier)
    .where('carrier_call', '=', carrierCall)
    .executeTakeFirst();
  return row ? { companyId: row.company_id, callId: row.call_id } : null;
}
/**
 * Stores an event that arrived before its call was announced. Returns the call instead if it was
 * announced meanwhile. Null: stored.
 */
export async function insertEarlyEvent(
  db: Db,
  carrier: string,
  event: VoiceEvent,
): Promise<CallRef | null> {
  return db.systemTransaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${carrier}:${event.call}`},
          70))`.execute(tx);
    const row = await tx
      .selectFrom('carrier_call_index')
      .select(['company_id', 'call_id'])
      .where('carrier', '=', carrier)
      .where('carrier_call', '=', event.call)
      .executeTakeFirst();
    if (row) return { companyId: row.company_id, callId: row.call_id };
    await tx
      .insertInto('unmatched_call_event')
      .values({
        carrier,
        carrier_call: event.call,
        event_id: event.id,
        event: JSON.stringify(event),
      })
      .onConflict((c) => c.doNothing())
      .execute();
    return null;
  });
}

/** The owner of a called number; null = not ours. Read before the company is known. */
export async function findNumberOwner(
  db: Db,
  number: string,
): Promise<{ companyId: number; numberId: number } | null> {
  const row = await db.unscoped
    .selectFrom('number_directory')
    .select(['company_id', 'number_id'])
    .where('number', '=', number)
    .executeTakeFirst();
  return row ? { companyId: row.company_id, numberId: row.number_id } : null;
}
