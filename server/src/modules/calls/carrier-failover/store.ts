/** Interconnects: legs of a call that another carrier rings. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db.ts';
import { hashToken } from '../../../platform/secrets.ts';
import type { VoiceCommand } from '../../../gateways/voice.ts';
import type { CallState } from '../../routing/index.ts';
import type { CallRef } from '../runtime/call-ref.ts';

export type CreateLeg = Extract<VoiceCommand, { do: 'createLeg' }>;
/**
 * A leg at another carrier, and the call between the carriers that connects it. `line` is its near
 * end at the call's own carrier, `far_leg` its far end at `carrier`, once it arrived.
 * `via_number`: the number dialed, or `line:<leg>` for a SIP trunk to our own exchange. `ring`: the
 * command that rings the leg.
 */
export interface Interconnect {
  leg: string;
  carrier: string;
  via_number_id: number | null;
  via_number: string;
  line: string;
  far_leg: string | null;
  from_number: string;
  state: 'asked' | 'arrived' | 'over';
  ring: CreateLeg;
}

/** All interconnects of a call, in any state. */
export const interconnectsOf = async (tx: Tx, callRef: CallRef): Promise<Interconnect[]> =>
  (await tx
    .selectFrom('call_interconnect')
    .select([
      'leg',
      'carrier',
      'via_number_id',
      'via_number',
      'line',
      'far_leg',
      'from_number',
      'state',
      'ring',
    ])
    .where('company_id', '=', callRef.companyId)
    .where('call_id', '=', callRef.callId)
    .execute()) as Interconnect[];

/** False when an interconnect between these two numbers is being set up already. */
export async function insertInterconnect(
  tx: Tx,
  callRef: CallRef,
  interconnect: Interconnect,
  now: Date,
  token: string | null = null,
): Promise<boolean> {
  // One that did not arrive within a minute never will.
  const expired = new Date(now.getTime() - 60_000);
  await sql`update call_interconnect set state = 'over'
    where state = 'asked' and via_number = ${interconnect.via_number}
      and from_number = ${interconnect.from_number} and requested_at < ${expired}`.execute(tx);
  const inserted = await tx
    .insertInto('call_interconnect')
    .values({
      company_id: callRef.companyId,
      call_id: callRef.callId,
      ...interconnect,
      ring: JSON.stringify(interconnect.ring),
      requested_at: now,
      token_hash: token === null ? null : hashToken(token),
    })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows !== 1n) return false;
  await tx
    .updateTable('live_call')
    .set({ has_interconnect: true })
    .where('company_id', '=', callRef.companyId)
    .where('call_id', '=', callRef.callId)
    .execute();
  return true;
}
/** Ends a leg's interconnect and voids its token. */
export const endInterconnect = (tx: Tx, callRef: CallRef, leg: string) =>
  tx
    .updateTable('call_interconnect')
    .set({ state: 'over', token_hash: null })
    .where('company_id', '=', callRef.companyId)
    .where('call_id', '=', callRef.callId)
    .where('leg', '=', leg)
    .execute();

/**
 * The interconnect expected between these two numbers. Read before the company is known. Null: none
 * was requested within the last 90 s.
 */
export async function findExpectedInterconnect(
  db: Db,
  carrier: string,
  from: string,
  to: string,
  now: Date,
): Promise<(CallRef & { leg: string }) | null> {
  const { rows } = await sql<{
    company_id: number;
    call_id: number;
    leg: string;
  }>`select company_id, call_id, leg from call_interconnect
    where state = 'asked' and via_number = ${to} and from_number = ${from} and carrier = ${carrier}
      and requested_at > ${new Date(now.getTime() - 90_000)}`.execute(db.unscoped);
  return rows[0]
    ? { companyId: rows[0].company_id, callId: rows[0].call_id, leg: rows[0].leg }
    : null;
}
/**
 * Seconds an interconnect token is valid. Carriers dial within a second or two, but one that starts
 * one call per second needs longer for the last of many browsers.
 */
const TOKEN_TTL_SECONDS = 60;
/** Redeems a token, once; returns the numbers it admits. null = unknown, used or expired. */
export async function redeemInterconnectToken(
  db: Db,
  token: string,
  now: Date,
): Promise<{ from: string; to: string } | null> {
  const { rows } = await sql<{
    from_number: string;
    via_number: string;
  }>`update call_interconnect set token_hash = null
    where token_hash = ${hashToken(token)} and state = 'asked'
      and requested_at > ${new Date(now.getTime() - TOKEN_TTL_SECONDS * 1000)}
    returning from_number, via_number`.execute(db.unscoped);
  return rows[0] ? { from: rows[0].from_number, to: rows[0].via_number } : null;
}
/** The interconnect arrived; undefined: a duplicate report, or it is over. */
export const markArrived = async (
  tx: Tx,
  callRef: CallRef,
  leg: string,
  farLine: string,
): Promise<Interconnect | undefined> =>
  (await tx
    .updateTable('call_interconnect')
    .set({ state: 'arrived', far_leg: farLine })
    .where('company_id', '=', callRef.companyId)
    .where('call_id', '=', callRef.callId)
    .where('leg', '=', leg)
    .where('state', '=', 'asked')
    .returningAll()
    .executeTakeFirst()) as Interconnect | undefined;

/** The engine's command that rings this leg. Undefined: the engine never gave one. */
export async function createLegCommandOf(
  tx: Tx,
  callRef: CallRef,
  leg: string,
): Promise<CreateLeg | undefined> {
  const { rows } = await sql<{
    command: CreateLeg;
  }>`select command from call_command
    where company_id = ${callRef.companyId} and call_id = ${callRef.callId}
      and command ->> 'do' = 'createLeg' and command ->> 'leg' = ${leg}
    order by n limit 1`.execute(tx);
  return rows[0]?.command;
}
/** Moves the whole call to another carrier, with its caller ID there. */
export async function moveCallToCarrier(
  tx: Tx,
  callRef: CallRef,
  carrier: string,
  from: string,
): Promise<void> {
  await tx
    .updateTable('live_call')
    .set({ carrier })
    .where('company_id', '=', callRef.companyId)
    .where('call_id', '=', callRef.callId)
    .execute();
  await tx
    .updateTable('call')
    .set({ carrier, from_number: from })
    .where('company_id', '=', callRef.companyId)
    .where('id', '=', callRef.callId)
    .execute();
}

/** The first leg of an outbound call that its carrier failed to accept `tries` times; else null. */
export async function findStuckFirstLeg(
  db: Db,
  callRef: CallRef,
  tries: number,
): Promise<{ carrier: string; leg: string } | null> {
  const { rows } = await sql<{
    carrier: string;
    state: CallState;
    leg: string;
  }>`select l.carrier, l.state, c.command ->> 'leg' as leg
    from call_command c join live_call l on l.company_id = c.company_id and l.call_id = c.call_id
    where c.company_id = ${callRef.companyId} and c.call_id = ${callRef.callId}
      and c.done_at is null and c.tries >= ${tries} and c.command ->> 'do' = 'createLeg'
      and not l.ended`.execute(db.unscoped);
  const row = rows.find((r) => r.state.kind === 'outbound' && r.leg === r.state.firstLeg);
  return row ? { carrier: row.carrier, leg: row.leg } : null;
}
