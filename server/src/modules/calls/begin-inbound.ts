import { randomInt } from 'node:crypto';
import { placeOfNumber } from '#contract/area-codes';
import type { TxCtx } from '../../platform/context.ts';
import type { VoiceEvent } from '../../ports/voice.ts';
import { companyRow } from '../companies/index.ts';
import { isBlocked } from '../compliance/index.ts';
import { contactsByNumber } from '../contacts/index.ts';
import { numberCalled, readNumber } from '../numbers/index.ts';
import { begin, flowFor, memoryToTake, step, type Timer, type World } from '../routing/index.ts';
import { engineName, type Place } from './place.ts';
import { partyOf } from './rules.ts';
import { emptyTurn, storeStep, take } from './run-call.ts';
import { callForChange, insertCall, metBefore, nextId } from './store.ts';
import { claimCall, insertLive, keepEvent, runningCalls, takeEarlyEvents } from './store-live.ts';
import { hopsBefore } from './store-hops.ts';

/** Calls a company may have at once; its setting `simultaneous_calls` says otherwise. */
const USUAL_CALL_LIMIT = 100;

/** A stranger calls one of our numbers. null = this very call was announced before. */
export async function beginInbound(
  ctx: TxCtx,
  carrier: string,
  numberId: number,
  event: Extract<VoiceEvent, { type: 'inbound' }>,
): Promise<{ place: Place; timers: readonly Timer[] } | null> {
  const { tx, companyId, now } = ctx;
  const callId = await nextId(tx);
  if (!(await claimCall(tx, carrier, event.call, callId))) return null;
  const place = { companyId, callId };
  const number = (await readNumber(tx, companyId, numberId))!;
  const party = partyOf(event.from);
  const home = placeOfNumber(party); // its area code's: a hint, not a location
  const contact = (await contactsByNumber(tx, companyId, [party]))[0];
  const flow = await flowFor(ctx, numberId, {
    blocked: (await isBlocked(tx, companyId, numberId, party)) ? 'This caller is blocked.' : null,
    full:
      (await runningCalls(tx, companyId)) >=
      callLimitOf((await companyRow(tx, companyId))?.settings)
        ? 'The company’s lines are all in use.'
        : null,
    hops: await hopsBefore(tx, companyId, number.number, event.from),
  });
  const begun = begin(
    flow,
    {
      callId: engineName(place),
      leg: event.leg,
      from: event.from,
      to: event.to,
      callerName: event.callerName,
      state: home?.state ?? undefined,
    },
    { ...diceFor(ctx), ...(flow.menu === null ? await memoryToTake(ctx, flow) : {}) },
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
    caller_city: home?.cities[0] ?? null,
    caller_state: home?.state ?? null,
    contact_id: contact?.id ?? null,
    started_at: now,
    first_contact: !(await metBefore(tx, companyId, party)),
    transcribe: number.call_transcription_enabled,
    transcribe_voicemail: number.voicemail.transcribe,
    recording_retention_days: number.recording_retention_days,
    created_at: now,
    updated_at: now,
  });
  await numberCalled(ctx, numberId, now);
  const turn = emptyTurn(begun.state);
  take(turn, begun);
  await keepEvent(tx, companyId, carrier, callId, event, now);
  for (const early of await takeEarlyEvents(tx, carrier, event.call))
    if (await keepEvent(tx, companyId, carrier, callId, early, now))
      take(turn, step(turn.state, early, now.getTime()));
  await insertLive(
    tx,
    companyId,
    callId,
    { carrier, carrier_call: event.call, state: turn.state },
    now,
  );
  await storeStep(ctx, (await callForChange(tx, companyId, callId))!, null, turn);
  return { place, timers: turn.state.timers };
}

/** Dice for the engine, thrown once, here. */
export const diceFor = (ctx: TxCtx): World => ({
  now: ctx.now.getTime(),
  draw: Array.from({ length: 8 }, () => randomInt(0, 2 ** 31) / 2 ** 31),
});

/** How many calls a company may have at once: its setting `simultaneous_calls`, else the usual. */
export function callLimitOf(settings: unknown): number {
  const own =
    typeof settings === 'object' && settings !== null
      ? (settings as Record<string, unknown>)['simultaneous_calls']
      : undefined;
  return typeof own === 'number' && Number.isInteger(own) && own >= 0 ? own : USUAL_CALL_LIMIT;
}
