import { randomInt } from 'node:crypto';
import { placeOfNumber } from '#contract/area-codes';
import type { TxCtx } from '../../platform/context.ts';
import type { VoiceEvent } from '../../gateways/voice.ts';
import { companyRow } from '../companies/index.ts';
import { isBlocked } from '../compliance/index.ts';
import { contactsByNumber } from '../contacts/index.ts';
import { recordCallActivity, readNumber } from '../numbers/index.ts';
import { begin, flowFor, lockRoundRobin, step, type Timer, type EngineInputs } from '../routing/index.ts';
import { engineCallId, type CallRef } from './call-ref.ts';
import { partyOf } from './rules.ts';
import { emptyBatch, storeBatch, addStep } from './run-call.ts';
import { lockCall, insertCall, hasCalledBefore, nextId } from './store.ts';
import {
  insertCarrierCall,
  insertLive,
  insertEvent,
  countRunningCalls,
  popEarlyEvents,
} from './store-live.ts';
import { countHops } from './store-hops.ts';

/** Calls a company may have at once; its setting `simultaneous_calls` says otherwise. */
const DEFAULT_CALL_LIMIT = 100;

/** A stranger calls one of our numbers. null = this very call was announced before. */
export async function beginInbound(
  ctx: TxCtx,
  carrier: string,
  numberId: number,
  event: Extract<VoiceEvent, { type: 'inbound' }>,
): Promise<{ place: CallRef; timers: readonly Timer[] } | null> {
  const { tx, companyId, now } = ctx;
  const callId = await nextId(tx);
  if (!(await insertCarrierCall(tx, carrier, event.call, callId))) return null;
  const callRef = { companyId, callId };
  const number = (await readNumber(tx, companyId, numberId))!;
  const party = partyOf(event.from);
  const location = placeOfNumber(party); // its area code's: a hint, not a location
  const contact = (await contactsByNumber(tx, companyId, [party]))[0];
  const flow = await flowFor(ctx, numberId, {
    blocked: (await isBlocked(tx, companyId, numberId, party)) ? 'This caller is blocked.' : null,
    full:
      (await countRunningCalls(tx, companyId)) >=
      callLimitOf((await companyRow(tx, companyId))?.settings)
        ? 'The company’s lines are all in use.'
        : null,
    hops: await countHops(tx, companyId, number.number, event.from),
  });
  const begun = begin(
    flow,
    {
      callId: engineCallId(callRef),
      leg: event.leg,
      from: event.from,
      to: event.to,
      callerName: event.callerName,
      state: location?.state ?? undefined,
    },
    { ...engineInputs(ctx), ...(flow.menu === null ? await lockRoundRobin(ctx, flow) : {}) },
  );

  await insertCall(tx, {
    company_id: companyId,
    id: callId,
    number_id: numberId,
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
    first_contact: !(await hasCalledBefore(tx, companyId, party)),
    transcribe: number.call_transcription_enabled,
    transcribe_voicemail: number.voicemail.transcribe,
    recording_retention_days: number.recording_retention_days,
    created_at: now,
    updated_at: now,
  });
  await recordCallActivity(ctx, numberId, now);
  const batch = emptyBatch(begun.state);
  addStep(batch, begun);
  await insertEvent(tx, companyId, carrier, callId, event, now);
  for (const earlyEvents of await popEarlyEvents(tx, carrier, event.call))
    if (await insertEvent(tx, companyId, carrier, callId, earlyEvents, now))
      addStep(batch, step(batch.state, earlyEvents, now.getTime()));
  await insertLive(
    tx,
    companyId,
    callId,
    { carrier, carrier_call: event.call, state: batch.state },
    now,
  );
  await storeBatch(ctx, (await lockCall(tx, companyId, callId))!, null, batch);
  return { place: callRef, timers: batch.state.timers };
}

/** Dice for the engine, thrown once, here. */
export const engineInputs = (ctx: TxCtx): EngineInputs => ({
  now: ctx.now.getTime(),
  draw: Array.from({ length: 8 }, () => randomInt(0, 2 ** 31) / 2 ** 31),
});

/** How many calls a company may have at once: its setting `simultaneous_calls`, else the usual. */
export function callLimitOf(settings: unknown): number {
  const configured =
    typeof settings === 'object' && settings !== null
      ? (settings as Record<string, unknown>)['simultaneous_calls']
      : undefined;
  return typeof configured === 'number' && Number.isInteger(configured) && configured >= 0
    ? configured
    : DEFAULT_CALL_LIMIT;
}
