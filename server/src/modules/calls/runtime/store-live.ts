/** Running calls: engine state, legs, timers. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { CallState, Leg, Timer } from '../../routing/index.ts';

export interface LiveRow {
  carrier: string;
  carrier_call: string;
  state: CallState;
  ended: boolean;
  /** A leg of the call is at another carrier, over an interconnect. */
  has_interconnect: boolean;
  /** Which of our exchanges has its legs that are ours; null: none yet. */
  exchange: string | null;
}

const liveColumns = [
  'carrier',
  'carrier_call',
  'state',
  'ended',
  'has_interconnect',
  'exchange',
] as const;

/**
 * The running call, locked: events of one call are applied one after the other. Undefined: it has
 * no engine state (any more).
 */
export async function lockLive(
  tx: Tx,
  companyId: number,
  callId: number,
): Promise<LiveRow | undefined> {
  return (await tx
    .selectFrom('live_call')
    .select(liveColumns)
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .forUpdate()
    .executeTakeFirst()) as LiveRow | undefined;
}
/** The running call, not locked; undefined: its state was purged. */
export const readLive = async (
  tx: Tx,
  companyId: number,
  callId: number,
): Promise<LiveRow | undefined> =>
  (await tx
    .selectFrom('live_call')
    .select(liveColumns)
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .executeTakeFirst()) as LiveRow | undefined;
/** Whether a call recording is still expected from the carrier. */
export async function hasPendingRecording(
  tx: Tx,
  companyId: number,
  callId: number,
): Promise<boolean> {
  const row = await tx
    .selectFrom('live_call')
    .select(
      sql<boolean>`jsonb_path_exists(state,
          '$.facts.recordings[*] ? (@.kind == "call" && @.state != "kept" && @.state != "lost")')`.as(
        'pending',
      ),
    )
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .executeTakeFirst();
  return row?.pending ?? false;
}
/** Stores a new call's state. */
export const insertLive = (
  tx: Tx,
  companyId: number,
  callId: number,
  live: Omit<LiveRow, 'ended' | 'has_interconnect'>,
  now: Date,
) =>
  tx
    .insertInto('live_call')
    .values({
      company_id: companyId,
      call_id: callId,
      carrier: live.carrier,
      carrier_call: live.carrier_call,
      exchange: live.exchange,
      state: JSON.stringify(live.state),
      ended: live.state.phase.name === 'over',
      last_event_at: now,
    })
    .execute();

/** Stores the new state of a call that `lockLive` locked in this transaction. */
export async function storeLive(
  tx: Tx,
  companyId: number,
  callId: number,
  state: CallState,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('live_call')
    .set({
      state: JSON.stringify(state),
      ended: state.phase.name === 'over',
      version: sql`version + 1`,
      last_event_at: now,
    })
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .execute();
}
/** Gives the call to this exchange, unless another has it. Returns the one that has it now. */
export async function takeExchange(
  tx: Tx,
  companyId: number,
  callId: number,
  exchange: string,
): Promise<string> {
  const row = await tx
    .updateTable('live_call')
    .set({ exchange: sql`coalesce(exchange, ${exchange})` })
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .returning('exchange')
    .executeTakeFirst();
  return row?.exchange ?? exchange;
}
/** Notes that the carrier reported on the call, without a change of state. */
export const markHeard = (tx: Tx, companyId: number, callId: number, now: Date) =>
  tx
    .updateTable('live_call')
    .set({ last_event_at: now })
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .execute();

const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));
/** Inserts new legs and updates the state of known ones. */
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
/** All legs of a call, ended ones included, in the order in which they began. */
export const legsOf = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('call_leg')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .orderBy('n')
    .execute();

/** Makes the timer rows equal to the state's timers. */
export async function storeTimers(
  tx: Tx,
  companyId: number,
  callId: number,
  before: readonly Timer[],
  after: readonly Timer[],
): Promise<void> {
  const removed = before.filter((t) => !after.some((a) => a.id === t.id)).map((t) => t.id);
  const added = after.filter((t) => !before.some((b) => b.id === t.id));
  if (removed.length)
    await tx
      .deleteFrom('call_timer')
      .where('company_id', '=', companyId)
      .where('call_id', '=', callId)
      .where('timer', 'in', removed)
      .execute();
  if (added.length)
    await tx
      .insertInto('call_timer')
      .values(
        added.map((t) => ({
          company_id: companyId,
          call_id: callId,
          timer: t.id,
          due_at: new Date(t.at),
        })),
      )
      .onConflict((c) => c.doNothing())
      .execute();
}
/** Cancels a timer of a call, if it is set. */
export const deleteTimer = (tx: Tx, companyId: number, callId: number, timer: string) =>
  tx
    .deleteFrom('call_timer')
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .where('timer', '=', timer)
    .execute();

/** The number of running calls of the company. */
export const countRunningCalls = async (tx: Tx, companyId: number): Promise<number> =>
  Number(
    (
      await tx
        .selectFrom('live_call')
        .select((e) => e.fn.countAll().as('n'))
        .where('company_id', '=', companyId)
        .where('ended', '=', false)
        .executeTakeFirstOrThrow()
    ).n,
  );
