import {
  formatPhone,
  keypadDigits,
  normalizePhone,
  type Answer,
  type Body,
  type calls as contract,
} from '#contract';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid, refuse } from '../../platform/refuse.ts';
import { companyRow } from '../companies/index.ts';
import { isBlocked } from '../compliance/index.ts';
import { contactsByNumber } from '../contacts/index.ts';
import { numberCalled, readNumber } from '../numbers/index.ts';
import { beginOutbound, flowFor } from '../routing/index.ts';
import { callLimitOf, diceFor } from './begin-inbound.ts';
import { performCommands } from './perform-commands.ts';
import { engineName, type Place } from './place.ts';
import { mineSetUp } from './presence.ts';
import { isEmergency } from './rules.ts';
import { emptyTurn, storeStep, take } from './run-call.ts';
import { callForChange, insertCall, metBefore, nextId } from './store.ts';
import { insertLive, runningCalls } from './store-live.ts';
import { joinToken } from './tell-phones.ts';

/** Seconds a destination rings before we give up. */
const RING_SECONDS = 45;

/** Call a number from one of ours (A24): the caller's own device rings first and answers itself, then the destination. */
export async function placeCall(
  ctx: Ctx,
  body: Body<typeof contract.placeCall>,
): Promise<Answer<typeof contract.placeCall>> {
  if (isEmergency(body.destination)) refuse('calling.emergency');
  const destination =
    normalizePhone(keypadDigits(body.destination)) ??
    invalid({ destination: 'This is not a phone number.' });
  const me = await mineSetUp(ctx);
  if (me.on_call) refuse('calling.busy');
  const begun = await ctx.transaction((t) =>
    begin(t, body.number_id, destination, me.name, body.device),
  );
  await performCommands(ctx, begun.place);
  return {
    data: {
      call_id: begun.place.callId,
      token: joinToken(ctx.settings.appSecret, ctx.companyId, ctx.actor.userId, begun.leg),
      caller_id: begun.callerId,
      leg: begun.leg,
    },
  };
}

async function begin(
  t: TxCtx,
  numberId: number,
  destination: string,
  name: string,
  device: string | undefined,
): Promise<{ place: Place; leg: string; callerId: string }> {
  const { tx, companyId, now, actor } = t;
  const number = await readNumber(tx, companyId, numberId);
  // The caller id shown outside must be a number of ours that serves, and one this person may use.
  if (!number || (t.numbers && !t.numbers.includes(numberId))) refuse('calling.caller_id');
  const flow = await flowFor(t, numberId);
  if (flow.service !== 'active' || destination === number.number) refuse('calling.caller_id');
  if (await isBlocked(tx, companyId, numberId, destination))
    refuse('calling.blocked', { number: destination });
  if (
    (await runningCalls(tx, companyId)) >= callLimitOf((await companyRow(tx, companyId))?.settings)
  )
    refuse('calling.busy');

  const place = { companyId, callId: await nextId(tx) };
  const contact = (await contactsByNumber(tx, companyId, [destination]))[0];
  const begun = beginOutbound(
    flow,
    {
      callId: engineName(place),
      userId: actor.userId,
      userName: name,
      to: destination,
      toLabel: contact?.name || formatPhone(destination),
      callerId: number.number,
      timeoutSeconds: RING_SECONDS,
      ...(device ? { device } : {}),
    },
    diceFor(t),
  );
  const at =
    t.ports.carriers.ofNumber({
      providerId: number.provider_id,
      providerRef: number.provider_ref,
    }) ?? refuse('number.carrier_gone');
  const carrier = at.voice?.name ?? refuse('carrier.unreachable');
  await insertCall(tx, {
    company_id: companyId,
    id: place.callId,
    number_id: numberId,
    outbound: true,
    carrier,
    from_number: number.number,
    to_number: destination,
    party: destination,
    placed_by: actor.userId,
    contact_id: contact?.id ?? null,
    started_at: now,
    first_contact: !(await metBefore(tx, companyId, destination)),
    transcribe: number.call_transcription_enabled,
    recording_retention_days: number.recording_retention_days,
    created_at: now,
    updated_at: now,
  });
  await numberCalled(t, numberId, now);
  const turn = emptyTurn(begun.state);
  take(turn, begun);
  await insertLive(
    tx,
    companyId,
    place.callId,
    { carrier, carrier_call: begun.state.firstLeg, state: turn.state },
    now,
  );
  await storeStep(t, (await callForChange(tx, companyId, place.callId))!, null, turn);
  return { place, leg: begun.state.firstLeg, callerId: number.number };
}
