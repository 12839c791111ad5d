import {
  formatPhone,
  keypadDigits,
  normalizePhone,
  type Answer,
  type Body,
  type calls as contract,
} from '#contract';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid, fail } from '../../platform/errors.ts';
import { companyRow } from '../companies/index.ts';
import { isBlocked } from '../compliance/index.ts';
import { contactsByNumber } from '../contacts/index.ts';
import { recordCallActivity, readNumber } from '../numbers/index.ts';
import { beginOutbound, flowFor } from '../routing/index.ts';
import { callLimitOf, engineInputs } from './begin-inbound.ts';
import { performCommands } from './perform-commands.ts';
import { engineCallId, type CallRef } from './call-ref.ts';
import { ownPresenceSetUp } from './presence.ts';
import { isEmergency } from './rules.ts';
import { emptyBatch, storeBatch, addStep } from './run-call.ts';
import { lockCall, insertCall, hasCalledBefore, nextId } from './store.ts';
import { insertLive, countRunningCalls } from './store-live.ts';
import { joinToken } from './notify-phones.ts';

/** Seconds a destination rings before we give up. */
const RING_SECONDS = 45;

/** Call a number from one of ours (A24): the caller's own device rings first and answers itself, then the destination. */
export async function placeCall(
  ctx: Ctx,
  body: Body<typeof contract.placeCall>,
): Promise<Answer<typeof contract.placeCall>> {
  if (isEmergency(body.destination)) fail('calling.emergency');
  const destination =
    normalizePhone(keypadDigits(body.destination)) ??
    invalid({ destination: 'This isn’t a phone number.' });
  const me = await ownPresenceSetUp(ctx);
  if (me.on_call) fail('calling.busy');
  const begun = await ctx.transaction((t) =>
    beginCall(t, body.number_id, destination, me.name, body.device),
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

async function beginCall(
  t: TxCtx,
  numberId: number,
  destination: string,
  name: string,
  device: string | undefined,
): Promise<{ place: CallRef; leg: string; callerId: string }> {
  const { tx, companyId, now, actor } = t;
  const number = await readNumber(tx, companyId, numberId);
  // The caller id shown outside must be a number of ours that serves, and one this person may use.
  if (!number || (t.numbers && !t.numbers.includes(numberId))) fail('calling.caller_id');
  const flow = await flowFor(t, numberId);
  if (flow.service !== 'active' || destination === number.number) fail('calling.caller_id');
  if (await isBlocked(tx, companyId, numberId, destination))
    fail('calling.blocked', { number: destination });
  if (
    (await countRunningCalls(tx, companyId)) >=
    callLimitOf((await companyRow(tx, companyId))?.settings)
  )
    fail('calling.busy');

  const callRef = { companyId, callId: await nextId(tx) };
  const contact = (await contactsByNumber(tx, companyId, [destination]))[0];
  const begun = beginOutbound(
    flow,
    {
      callId: engineCallId(callRef),
      userId: actor.userId,
      userName: name,
      to: destination,
      toLabel: contact?.name || formatPhone(destination),
      callerId: number.number,
      timeoutSeconds: RING_SECONDS,
      ...(device ? { device } : {}),
    },
    engineInputs(t),
  );
  const at =
    t.gateways.carriers.forNumber({
      providerId: number.provider_id,
      providerRef: number.provider_ref,
    }) ?? fail('number.carrier_gone');
  const carrier = at.voice?.name ?? fail('carrier.unreachable');
  await insertCall(tx, {
    company_id: companyId,
    id: callRef.callId,
    number_id: numberId,
    outbound: true,
    carrier,
    from_number: number.number,
    to_number: destination,
    party: destination,
    placed_by: actor.userId,
    contact_id: contact?.id ?? null,
    started_at: now,
    first_contact: !(await hasCalledBefore(tx, companyId, destination)),
    transcribe: number.call_transcription_enabled,
    recording_retention_days: number.recording_retention_days,
    created_at: now,
    updated_at: now,
  });
  await recordCallActivity(t, numberId, now);
  const batch = emptyBatch(begun.state);
  addStep(batch, begun);
  await insertLive(
    tx,
    companyId,
    callRef.callId,
    { carrier, carrier_call: begun.state.firstLeg, state: batch.state },
    now,
  );
  await storeBatch(t, (await lockCall(tx, companyId, callRef.callId))!, null, batch);
  return { place: callRef, leg: begun.state.firstLeg, callerId: number.number };
}
