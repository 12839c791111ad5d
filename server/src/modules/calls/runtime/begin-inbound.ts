import { randomInt } from 'node:crypto';
import { placeOfNumber } from '#contract/area-codes';
import { readParty } from '#contract/read-party';
import type { TxCtx } from '../../../platform/context.ts';
import type { VoiceEvent } from '../../../gateways/voice.ts';
import { companyRow } from '../../companies/index.ts';
import { isBlocked } from '../../compliance/index.ts';
import { contactsByNumber } from '../../contacts/index.ts';
import { recordCallActivity, readNumber } from '../../numbers/index.ts';
import {
  begin,
  flowFor,
  lockRoundRobin,
  step,
  type EngineInputs,
  type StepResult,
  type Timer,
} from '../../routing/index.ts';
import { findMatches, matchedSource, sourceWhisper, storeMatches } from '../../tracking/index.ts';
import { screenCaller } from './screen-caller.ts';
import { engineCallId, type CallRef } from './call-ref.ts';
import { storeBatch } from './run-call.ts';
import { emptyBatch, addStep } from './step-batch.ts';
import { lockExistingCall, insertCall, hasCalledBefore, nextId } from '../records/store.ts';
import { insertCarrierCall, insertEvent, popEarlyEvents } from './store-directory.ts';
import { insertLive, countRunningCalls } from './store-live.ts';
import { countHops } from './store-hops.ts';

/** Simultaneous calls per company, unless its setting `simultaneous_calls` differs. */
const DEFAULT_CALL_LIMIT = 100;

type Inbound = Extract<VoiceEvent, { type: 'inbound' }>;
type NumberRow = NonNullable<Awaited<ReturnType<typeof readNumber>>>;
interface Arrival {
  carrier: string;
  number: NumberRow;
  party: string;
  /** Where the call came from; null: it is to no tracking number. */
  match: Awaited<ReturnType<typeof findMatches>>[number];
}

/** Begins an inbound call to one of our numbers. null = a duplicate announcement. */
export async function beginInbound(
  ctx: TxCtx,
  carrier: string,
  numberId: number,
  arrived: Inbound,
): Promise<{ callRef: CallRef; timers: readonly Timer[] } | null> {
  const { tx, companyId, now } = ctx;
  const callId = await nextId(tx);
  if (!(await insertCarrierCall(tx, carrier, arrived.call, callId))) return null;
  const callRef = { companyId, callId };
  const number = await readNumber(tx, companyId, numberId);
  if (!number) throw new Error(`Number ${numberId} is gone`);
  const party = readParty(arrived.from);
  const event = { ...arrived, from: party };
  const [match = null] = await findMatches(ctx, [{ numberId, party }]);
  const arrival = { carrier, number, party, match };
  const begun = await beginEngine(ctx, callRef, arrival, event);
  await insertInboundCall(ctx, callRef, arrival, event);
  if (match) await storeMatches(ctx, 'call', [{ subjectId: callId, numberId, party, match }]);
  await recordCallActivity(ctx, numberId, now);
  const batch = emptyBatch(begun.state);
  addStep(batch, begun);
  await insertEvent(tx, companyId, carrier, callId, event, now);
  for (const earlyEvent of await popEarlyEvents(tx, carrier, event.call))
    if (await insertEvent(tx, companyId, carrier, callId, earlyEvent, now))
      addStep(batch, step(batch.state, earlyEvent, now.getTime()));
  await insertLive(
    tx,
    companyId,
    callId,
    {
      carrier,
      carrier_call: event.call,
      exchange: event.exchange ?? null,
      state: batch.state,
    },
    now,
  );
  await storeBatch(ctx, await lockExistingCall(tx, companyId, callId), null, batch);
  return { callRef, timers: batch.state.timers };
}

async function beginEngine(
  ctx: TxCtx,
  callRef: CallRef,
  { number, party, match }: Arrival,
  event: Inbound,
): Promise<StepResult> {
  const { tx, companyId } = ctx;
  const settings = (await companyRow(tx, companyId))?.settings;
  const callLimit = callLimitOf(settings);
  const screening = await screenCaller(ctx, party);
  const state = placeOfNumber(party)?.state ?? null;
  const flow = await flowFor(ctx, number.id, {
    blocked: (await isBlocked(tx, companyId, number.id, party))
      ? 'This caller is blocked.'
      : screening.blocked,
    pressOne: screening.pressOne,
    partyState: state,
    full:
      (await countRunningCalls(tx, companyId)) >= callLimit
        ? 'All of the company’s lines are in use.'
        : null,
    hops: await countHops(tx, companyId, number.number, event.from),
    sourceWhisper: match && sourceWhisper(match),
  });
  return begin(
    flow,
    {
      callId: engineCallId(callRef),
      leg: event.leg,
      from: event.from,
      to: event.to,
      callerName: event.callerName,
      state: state ?? undefined,
    },
    {
      ...engineInputs(ctx),
      ...(flow.menu === null && !flow.screening ? await lockRoundRobin(ctx, flow) : {}),
    },
  );
}

async function insertInboundCall(
  ctx: TxCtx,
  { companyId, callId }: CallRef,
  { carrier, number, party, match }: Arrival,
  event: Inbound,
): Promise<void> {
  const { tx, now } = ctx;
  // The location of the area code: a hint, not where the caller is.
  const location = placeOfNumber(party);
  const contact = (await contactsByNumber(tx, companyId, [party]))[0];
  await insertCall(tx, {
    company_id: companyId,
    id: callId,
    number_id: number.id,
    outbound: false,
    carrier,
    from_number: party,
    to_number: number.number,
    party,
    caller_name: event.callerName ?? null,
    caller_city: location?.cities[0] ?? null,
    caller_state: location?.state ?? null,
    contact_id: contact?.id ?? null,
    started_at: now,
    first_contact: !(await hasCalledBefore(tx, companyId, party, now)),
    source: match && JSON.stringify(matchedSource(match)),
    dni_pool_id: match?.poolId ?? null,
    transcribe: number.call_transcription_enabled,
    transcribe_voicemail: number.voicemail.transcribe,
    recording_retention_days: number.recording_retention_days,
    created_at: now,
    updated_at: now,
  });
}

/** The engine's inputs at call start: the time and eight random numbers. */
export const engineInputs = (ctx: TxCtx): EngineInputs => ({
  now: ctx.now.getTime(),
  draw: Array.from({ length: 8 }, () => randomInt(0, 2 ** 31) / 2 ** 31),
});

/** The company's limit of simultaneous calls: setting `simultaneous_calls`, else the default. */
export function callLimitOf(settings: unknown): number {
  const configured =
    typeof settings === 'object' && settings !== null
      ? (settings as Record<string, unknown>)['simultaneous_calls']
      : undefined;
  return typeof configured === 'number' && Number.isInteger(configured) && configured >= 0
    ? configured
    : DEFAULT_CALL_LIMIT;
}
