/** What the worker's call clock looks for, across all companies. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db.ts';
import type { CallRef } from './call-ref.ts';

/** Due timers of all companies, oldest first, 200 at most. */
export const dueTimers = async (db: Db, now: Date): Promise<(CallRef & { timer: string })[]> =>
  (
    await db.unscoped
      .selectFrom('call_timer')
      .select(['company_id', 'call_id', 'timer'])
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(200)
      .execute()
  ).map((r) => ({ companyId: r.company_id, callId: r.call_id, timer: r.timer }));
/**
 * Calls with overdue commands, 200 at most: pending for two seconds, so that their process is lost,
 * or not accepted by the carrier and due again.
 */
export const callsWithOverdueCommands = async (db: Db, now: Date): Promise<CallRef[]> =>
  (
    await db.unscoped
      .selectFrom('call_command')
      .select(['company_id', 'call_id'])
      .distinct()
      .where('done_at', 'is', null)
      .where('retry_at', '<', now)
      .limit(200)
      .execute()
  ).map((r) => ({ companyId: r.company_id, callId: r.call_id }));
/** Running calls without a carrier event since `heardBefore`; marks them as asked about now. */
export async function silentCalls(db: Db, heardBefore: Date, now: Date): Promise<CallRef[]> {
  const { rows } = await sql<{
    company_id: number;
    call_id: number;
  }>`update live_call set requested_at = ${now} where (company_id, call_id) in (
      select company_id, call_id from live_call where not ended and last_event_at < ${heardBefore}
        and (requested_at is null or requested_at < ${heardBefore})
        order by last_event_at limit 100 for update skip locked)
    returning company_id, call_id`.execute(db.unscoped);
  return rows.map((r) => ({ companyId: r.company_id, callId: r.call_id }));
}

/** Running calls whose exchange has ended, and when that was. */
export async function callsWithoutExchange(
  db: Db,
): Promise<(CallRef & { exchange: string; endedAt: Date })[]> {
  const { rows } = await sql<{
    company_id: number;
    call_id: number;
    exchange: string;
    ended_at: Date;
  }>`
    select l.company_id, l.call_id, l.exchange, e.ended_at
      from exchange e join live_call l on l.exchange = e.id and not l.ended
      where e.ended_at is not null limit 500`.execute(db.unscoped);
  return rows.map((r) => ({
    companyId: r.company_id,
    callId: r.call_id,
    exchange: r.exchange,
    endedAt: r.ended_at,
  }));
}

/** The call has no legs at this exchange any longer; if it goes on, it may go to another. */
export const leaveExchange = (db: Db, { companyId, callId }: CallRef, exchange: string) =>
  db.unscoped
    .updateTable('live_call')
    .set({ exchange: null })
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .where('exchange', '=', exchange)
    .where('ended', '=', false)
    .execute();
