/** What runs: engine state, legs, timers, commands, carriers' reports, the directory. Speaks SQL for store.ts. */
import { sql } from 'kysely';
import type { VoiceCommand, VoiceEvent } from '../../gateways/voice.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { CallState, Leg, Timer } from '../routing/index.ts';
import type { CallRef } from './call-ref.ts';

export interface LiveRow {
  carrier: string;
  carrier_call: string;
  version: number;
  state: CallState;
  over: boolean;
  /** Some leg of it is at another carrier. */ tied: boolean;
}

/** The running call, locked: two reports about one call are taken one after the other. */
export async function lockLive(
  tx: Tx,
  companyId: number,
  callId: number,
): Promise<LiveRow | undefined> {
  return (await tx
    .selectFrom('live_call')
    .select(['carrier', 'carrier_call', 'version', 'state', 'over', 'tied'])
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .forUpdate()
    .executeTakeFirst()) as LiveRow | undefined;
}
export const readLive = async (
  tx: Tx,
  companyId: number,
  callId: number,
): Promise<LiveRow | undefined> =>
  (await tx
    .selectFrom('live_call')
    .select(['carrier', 'carrier_call', 'version', 'state', 'over', 'tied'])
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .executeTakeFirst()) as LiveRow | undefined;
/** Has a call been recorded whose sound has not come yet? */
export async function hasPendingRecording(
  tx: Tx,
  companyId: number,
  callId: number,
): Promise<boolean> {
  const row = await tx
    .selectFrom('live_call')
    .select(
      sql<boolean>`jsonb_path_exists(state, '$.facts.recordings[*] ? (@.kind == "call" && @.state != "kept" && @.state != "lost")')`.as(
        'owed',
      ),
    )
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .executeTakeFirst();
  return row?.owed ?? false;
}
export const insertLive = (
  tx: Tx,
  companyId: number,
  callId: number,
  live: Omit<LiveRow, 'version' | 'over' | 'tied'>,
  now: Date,
) =>
  tx
    .insertInto('live_call')
    .values({
      company_id: companyId,
      call_id: callId,
      carrier: live.carrier,
      carrier_call: live.carrier_call,
      state: JSON.stringify(live.state),
      over: live.state.phase.name === 'over',
      heard_at: now,
    })
    .execute();

/** The state changed since it was read: the whole step is taken back and done again. */
export class VersionConflict extends Error {
  constructor() {
    super('This call was changed meanwhile.');
  }
}

export async function storeLive(
  tx: Tx,
  companyId: number,
  callId: number,
  version: number,
  state: CallState,
  now: Date,
): Promise<void> {
  const done = await tx
    .updateTable('live_call')
    .set({
      state: JSON.stringify(state),
      over: state.phase.name === 'over',
      version: version + 1,
      heard_at: now,
    })
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .where('version', '=', version)
    .executeTakeFirst();
  if (done.numUpdatedRows !== 1n) throw new VersionConflict();
}
export const markHeard = (tx: Tx, companyId: number, callId: number, now: Date) =>
  tx
    .updateTable('live_call')
    .set({ heard_at: now })
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .execute();

const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));
export async function storeLegs(
  tx: Tx,
  companyId: number,
  callId: number,
  legs: readonly { leg: Leg; n: number; label: string }[],
): Promise<void> {
  if (!legs.length) return;
  await tx
    .insertInto('call_leg')
    .values(
      legs.map(({ leg, n, label }) => ({
        company_id: companyId,
        call_id: callId,
        leg: leg.id,
        n,
        role: leg.role,
        label,
        target: leg.target?.key ?? null,
        user_id: leg.target?.to.kind === 'app' ? leg.target.to.userId : null,
        state: leg.state,
        cause: leg.cause,
        started_at: new Date(leg.startedAt),
        answered_at: toDate(leg.answeredAt),
        ended_at: toDate(leg.endedAt),
      })),
    )
    .onConflict((c) =>
      c.columns(['company_id', 'call_id', 'leg']).doUpdateSet((e) => ({
        state: e.ref('excluded.state'),
        cause: e.ref('excluded.cause'),
        answered_at: e.ref('excluded.answered_at'),
        ended_at: e.ref('excluded.ended_at'),
      })),
    )
    .execute();
}
export const legsOf = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('call_leg')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .orderBy('n')
    .execute();

/** Make the timer rows equal to the state's. */
export async function storeTimers(
  tx: Tx,
  companyId: number,
  callId: number,
  before: readonly Timer[],
  after: readonly Timer[],
): Promise<void> {
  const gone = before.filter((t) => !after.some((a) => a.id === t.id)).map((t) => t.id);
  const fresh = after.filter((t) => !before.some((b) => b.id === t.id));
  if (gone.length)
    await tx
      .deleteFrom('call_timer')
      .where('company_id', '=', companyId)
      .where('call_id', '=', callId)
      .where('timer', 'in', gone)
      .execute();
  if (fresh.length)
    await tx
      .insertInto('call_timer')
      .values(
        fresh.map((t) => ({
          company_id: companyId,
          call_id: callId,
          timer: t.id,
          due_at: new Date(t.at),
        })),
      )
      .onConflict((c) => c.doNothing())
      .execute();
}
export const deleteTimer = (tx: Tx, companyId: number, callId: number, timer: string) =>
  tx
    .deleteFrom('call_timer')
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .where('timer', '=', timer)
    .execute();

export const commandFor = (carrier: string | null, command: VoiceCommand) => ({ carrier, command });
export async function addCommands(
  tx: Tx,
  companyId: number,
  callId: number,
  commands: readonly { carrier: string | null; command: VoiceCommand }[],
  now: Date,
): Promise<void> {
  if (!commands.length) return;
  await tx
    .insertInto('call_command')
    .values(
      commands.map(({ carrier, command: c }) => ({
        company_id: companyId,
        call_id: callId,
        command_id: c.id,
        command: JSON.stringify(c),
        carrier,
        created_at: now,
      })),
    )
    .onConflict((o) => o.columns(['company_id', 'command_id']).doNothing())
    .execute();
}
export interface PendingCommand {
  n: number;
  tries: number;
  created_at: Date;
  command: VoiceCommand;
  carrier: string | null;
}
export async function pendingCommands(tx: Tx, callRef: CallRef): Promise<PendingCommand[]> {
  return (await tx
    .selectFrom('call_command')
    .select([
      'n',
      'tries',
      'created_at',
      'command',
      (e) =>
        e
          .selectFrom('live_call as l')
          .select(sql<string | null>`coalesce(call_command.carrier, l.carrier)`.as('carrier'))
          .whereRef('l.company_id', '=', 'call_command.company_id')
          .whereRef('l.call_id', '=', 'call_command.call_id')
          .as('carrier'),
    ])
    .where('company_id', '=', callRef.companyId)
    .where('call_id', '=', callRef.callId)
    .where('done_at', 'is', null)
    .orderBy('n')
    .execute()) as PendingCommand[];
}
export const markCommandsDone = (
  tx: Tx,
  callRef: CallRef,
  ns: readonly number[],
  now: Date,
  failure: string | null = null,
) =>
  tx
    .updateTable('call_command')
    .set({ done_at: now, failure })
    .where('company_id', '=', callRef.companyId)
    .where('call_id', '=', callRef.callId)
    .where('n', 'in', [...ns])
    .execute();
export const markCommandsFailed = (
  tx: Tx,
  callRef: CallRef,
  ns: readonly number[],
  failure: string,
) =>
  tx
    .updateTable('call_command')
    .set({ tries: sql`tries + 1`, failure: failure.slice(0, 500) })
    .where('company_id', '=', callRef.companyId)
    .where('call_id', '=', callRef.callId)
    .where('n', 'in', [...ns])
    .execute();

/** False when this very report was kept before. */
export async function insertEvent(
  tx: Tx,
  companyId: number,
  carrier: string,
  callId: number,
  event: VoiceEvent,
  now: Date,
): Promise<boolean> {
  const kept = await tx
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
  return kept.numInsertedOrUpdatedRows === 1n;
}

// ---- the directory: before any company is known ----

/** Enter a carrier's call; false when it is there already (the same announcement came before). */
export async function insertCarrierCall(
  tx: Tx,
  carrier: string,
  carrierCall: string,
  callId: number,
): Promise<boolean> {
  return (
    await sql<{
      mine: boolean;
    }>`select claim_call(${carrier}, ${carrierCall}, ${callId}) mine`.execute(tx)
  ).rows[0]!.mine;
}
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
export async function callRefOfCarrierCall(
  db: Db,
  carrier: string,
  carrierCall: string,
): Promise<CallRef | null> {
  const row = await db.unscoped
    .selectFrom('call_directory')
    .select(['company_id', 'call_id'])
    .where('carrier', '=', carrier)
    .where('carrier_call', '=', carrierCall)
    .executeTakeFirst();
  return row ? { companyId: row.company_id, callId: row.call_id } : null;
}
/** Keep a report that came before its call was announced; answers the place when the announcement has just come after all. */
export async function insertEarlyEvent(
  db: Db,
  carrier: string,
  event: VoiceEvent,
): Promise<CallRef | null> {
  return db.systemTransaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${carrier}:${event.call}`}, 70))`.execute(
      tx,
    );
    const row = await tx
      .selectFrom('call_directory')
      .select(['company_id', 'call_id'])
      .where('carrier', '=', carrier)
      .where('carrier_call', '=', event.call)
      .executeTakeFirst();
    if (row) return { companyId: row.company_id, callId: row.call_id };
    await tx
      .insertInto('call_early_event')
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

// ---- what the clock looks for, over all companies ----

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
export const callsWithPendingCommands = async (db: Db, before: Date): Promise<CallRef[]> =>
  (
    await db.unscoped
      .selectFrom('call_command')
      .select(['company_id', 'call_id'])
      .distinct()
      .where('done_at', 'is', null)
      .where('created_at', '<', before)
      .limit(200)
      .execute()
  ).map((r) => ({ companyId: r.company_id, callId: r.call_id }));
/** Running calls nobody has reported on for a while, and not asked about since. */
export async function silentCalls(db: Db, heardBefore: Date, now: Date): Promise<CallRef[]> {
  const { rows } = await sql<{
    company_id: number;
    call_id: number;
  }>`update live_call set asked_at = ${now} where (company_id, call_id) in (
      select company_id, call_id from live_call where not over and heard_at < ${heardBefore} and (asked_at is null or asked_at < ${heardBefore}) order by heard_at limit 100 for update skip locked)
    returning company_id, call_id`.execute(db.unscoped);
  return rows.map((r) => ({ companyId: r.company_id, callId: r.call_id }));
}

/** Running calls that have, or may have, legs at this carrier. */
export async function runningCallsAt(db: Db, carrier: string): Promise<CallRef[]> {
  const { rows } = await sql<{ company_id: number; call_id: number }>`
    select company_id, call_id from live_call where not over and (carrier = ${carrier} or tied)`.execute(
    db.unscoped,
  );
  return rows.map((r) => ({ companyId: r.company_id, callId: r.call_id }));
}

/** How many calls of the company run now. */
export const countRunningCalls = async (tx: Tx, companyId: number): Promise<number> =>
  Number(
    (
      await tx
        .selectFrom('live_call')
        .select((e) => e.fn.countAll().as('n'))
        .where('company_id', '=', companyId)
        .where('over', '=', false)
        .executeTakeFirstOrThrow()
    ).n,
  );

/** Whose number was called. Asked before any company is known. */
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
