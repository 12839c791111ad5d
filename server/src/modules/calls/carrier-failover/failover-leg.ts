import { formatPhone } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import type { VoiceEvent } from '../../../gateways/voice.ts';
import { readNumber, failoverNumber } from '../../numbers/index.ts';
import type { HistoryEntry, Leg } from '../../routing/index.ts';
import type { CallRef } from '../runtime/call-ref.ts';
import type { StepBatch } from '../runtime/step-batch.ts';
import { lockExistingCall } from '../records/store.ts';
import type { LiveRow } from '../runtime/store-live.ts';
import {
  createLegCommandOf,
  endInterconnect,
  insertInterconnect,
  moveCallToCarrier,
  type CreateLeg,
  type Interconnect,
} from './store.ts';
import { isSipInterconnect, hangUpInterconnect } from './route-commands.ts';

type Ended = Extract<VoiceEvent, { type: 'legEnded' }>;
/** Added to a leg's number for its interconnect: above every number the engine uses in a call. */
const INTERCONNECT_OFFSET = 1_000_000;
/** The id of a leg's interconnect leg. */
export function interconnectLegOf(leg: string): string {
  const dot = leg.lastIndexOf('.');
  return `${leg.slice(0, dot)}.${INTERCONNECT_OFFSET + Number(leg.slice(dot + 1))}`;
}

/**
 * The carrier rejected a leg before it rang. If the number's failover rule allows it, the leg is
 * rung through the failover carrier, with our number there as caller ID, and the engine does not
 * see the failure. False: no failover, the engine handles the event.
 */
export async function failOverLeg(
  ctx: TxCtx,
  callRef: CallRef,
  live: LiveRow,
  batch: StepBatch,
  carrier: string,
  event: Ended,
): Promise<boolean> {
  if (!event.notTaken) return false;
  const leg = batch.state.legs.find((one) => one.id === event.leg);
  if (!leg || leg.endedAt !== null || leg.answeredAt !== null || leg.state === 'leaving')
    return false;
  // The leg failed over before: only a failure at the failover carrier ends it.
  const interconnect = batch.interconnects.find((one) => one.leg === leg.id);
  if (interconnect) return interconnect.carrier !== carrier;
  if (carrier !== live.carrier) return false;
  const failover = await failoverFor(ctx, callRef, carrier, event);
  const createLeg = failover && (await createLegCommandOf(ctx.tx, callRef, leg.id));
  if (!failover || !createLeg) return false;

  const isFirstLeg = batch.state.kind === 'outbound' && leg.id === batch.state.firstLeg;
  if (!isFirstLeg && leg.target?.to.kind !== 'phone') return false;
  if (isFirstLeg) await moveCall(ctx, callRef, live, batch, failover, createLeg);
  else if (!(await ringOverInterconnect(ctx, callRef, batch, failover, createLeg))) return false;
  const labelOf = (name: string) => ctx.gateways.carriers.byName(name)?.label ?? name;
  const reason = event.notTaken === 'away' ? 'could not be reached' : 'rejected it';
  const shownAs = formatPhone(failover.via.number);
  const detail = `${labelOf(carrier)} ${reason}, so the call uses ${labelOf(failover.via.carrier)}, shown as ${shownAs}.`;
  batch.history.push(historyEntry(ctx, leg, detail));
  return true;
}

/** The call's number and the failover number that its rule allows for this failure. */
interface Failover {
  number: string;
  via: NonNullable<Awaited<ReturnType<typeof failoverNumber>>>;
}

/** The failover for a leg its carrier did not take; null = the number has no rule for this case. */
async function failoverFor(
  ctx: TxCtx,
  callRef: CallRef,
  carrier: string,
  event: Ended,
): Promise<Failover | null> {
  const call = await lockExistingCall(ctx.tx, ctx.companyId, callRef.callId);
  const number = await readNumber(ctx.tx, ctx.companyId, call.number_id);
  const via = number && (await failoverNumber(ctx, call.number_id, 'calls'));
  if (!number || !via || via.carrier === carrier) return null;
  if (via.calls === 'away' && event.notTaken === 'refused') return null;
  return { number: number.number, via };
}

/** The first leg failed, so nothing is at the carrier yet: moves the whole call. */
async function moveCall(
  ctx: TxCtx,
  callRef: CallRef,
  live: LiveRow,
  batch: StepBatch,
  { number, via }: Failover,
  createLeg: CreateLeg,
): Promise<void> {
  await moveCallToCarrier(ctx.tx, callRef, via.carrier, via.number);
  live.carrier = via.carrier;
  batch.state = replaceCallerId(batch.state, number, via.number);
  batch.extraCommands.push({
    carrier: via.carrier,
    command: { ...createLeg, id: `${createLeg.id}:other`, callerId: via.number },
  });
}

/** Calls the failover number first; the leg is rung there when that call arrives. */
async function ringOverInterconnect(
  ctx: TxCtx,
  callRef: CallRef,
  batch: StepBatch,
  { number, via }: Failover,
  createLeg: CreateLeg,
): Promise<boolean> {
  const interconnectLeg = interconnectLegOf(createLeg.leg);
  const interconnect: Interconnect = {
    leg: createLeg.leg,
    carrier: via.carrier,
    via_number_id: via.id,
    via_number: via.number,
    line: interconnectLeg,
    far_leg: null,
    from_number: number,
    state: 'asked',
    ring: { ...createLeg, id: `${createLeg.id}:other`, callerId: via.number, onBehalfOf: null },
  };
  if (!(await insertInterconnect(ctx.tx, callRef, interconnect, ctx.now))) return false;
  batch.interconnects.push(interconnect);
  // Set up the interconnect before ringing, so that the callee has audio on answer.
  batch.extraCommands.push({
    carrier: null,
    command: {
      id: `${createLeg.id}:line`,
      do: 'createLeg',
      leg: interconnectLeg,
      to: { kind: 'phone', number: via.number },
      callerId: number,
      timeoutSeconds: createLeg.timeoutSeconds + 20,
      onBehalfOf: null,
    },
  });
  return true;
}

/**
 * Releases the interconnect when its leg ended, and the leg when its interconnect ended. Returns an
 * event that no carrier will send but the engine needs: the leg was never rung. null: none.
 */
export async function endInterconnectOf(
  ctx: TxCtx,
  callRef: CallRef,
  batch: StepBatch,
  event: Ended,
): Promise<Ended | null> {
  const interconnect = batch.interconnects.find(
    (one) => one.state !== 'over' && [one.leg, one.line, one.far_leg].includes(event.leg),
  );
  if (!interconnect) return null;
  const neverRang = interconnect.state === 'asked';
  interconnect.state = 'over';
  await endInterconnect(ctx.tx, callRef, interconnect.leg);
  batch.extraCommands.push(...hangUpInterconnect(`${interconnect.line}:over`, interconnect));
  if (event.leg === interconnect.leg) return null;
  const leg = batch.state.legs.find((one) => one.id === interconnect.leg);
  if (!leg || leg.endedAt !== null) return null;
  batch.extraCommands.push({
    carrier: interconnect.carrier,
    command: { id: `${interconnect.line}:end`, do: 'hangup', leg: interconnect.leg },
  });
  if (!neverRang) return null;
  const detail = isSipInterconnect(interconnect)
    ? 'The carrier couldn’t reach our exchange, so no browser rang.'
    : 'The connection to the other carrier couldn’t be set up.';
  batch.history.push(historyEntry(ctx, leg, detail));
  return { ...event, id: `${interconnect.line}:none`, leg: interconnect.leg, cause: 'failed' };
}

const historyEntry = (ctx: TxCtx, leg: Leg, detail: string): HistoryEntry => ({
  at: ctx.now.getTime(),
  code: null,
  label: 'Sent through failover',
  leg: leg.id,
  target: leg.target?.key ?? null,
  detail,
});

/** The value with one caller ID replaced throughout. */
function replaceCallerId<T>(value: T, from: string, to: string): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => replaceCallerId(one, from, to)) as T;
  const entries = Object.entries(value).map(([key, inner]: [string, unknown]) => [
    key,
    key === 'callerId' && inner === from ? to : replaceCallerId(inner, from, to),
  ]);
  return Object.fromEntries(entries) as T;
}
