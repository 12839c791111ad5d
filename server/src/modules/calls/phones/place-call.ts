import {
  formatPhone,
  keypadDigits,
  normalizePhone,
  splitDialed,
  type Answer,
  type Body,
  type calls as contract,
} from '#contract';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { placeOfNumber } from '#contract/area-codes';
import { invalid, fail } from '../../../platform/errors.ts';
import { requireRoom } from '../../billing/index.ts';
import { companyRow } from '../../companies/index.ts';
import { isBlocked } from '../../compliance/index.ts';
import { contactsByNumber } from '../../contacts/index.ts';
import { recordCallActivity, readNumber } from '../../numbers/index.ts';
import { beginOutbound, flowFor } from '../../routing/index.ts';
import { callLimitOf, engineInputs } from '../runtime/begin-inbound.ts';
import { performCommands } from '../runtime/perform-commands.ts';
import { engineCallId, type CallRef } from '../runtime/call-ref.ts';
import { ownPresenceSetUp } from './presence.ts';
import { isEmergency } from '../rules.ts';
import { storeBatch } from '../runtime/run-call.ts';
import { emptyBatch, addStep } from '../runtime/step-batch.ts';
import { lockExistingCall, insertCall, hasCalledBefore, nextId } from '../records/store.ts';
import { insertLive, countRunningCalls } from '../runtime/store-live.ts';
import { joinToken } from './notify-phones.ts';

/** Seconds a destination rings before we give up. */
const RING_SECONDS = 45;

/**
 * Places a call from one of our numbers (A24): the user's device joins first, then it rings. An
 * extension, or keys after a pause, are pressed once it is answered.
 * `calling.emergency` for emergency numbers; `calling.busy` when the user is on a call;
 * `calling.full` when no exchange takes another call.
 * @param exchange where the call has to be: a SIP phone dialed it there. Null: where there is room
 */
export async function placeCall(
  ctx: Ctx,
  body: Body<typeof contract.placeCall>,
  exchange: string | null = null,
): Promise<Answer<typeof contract.placeCall>> {
  const dialed = await ctx.readOnly((t) => t.contactDetails.numberOf(t, body.destination));
  const { number, keys } = splitDialed(dialed);
  if (isEmergency(dialed) || isEmergency(number)) fail('calling.emergency');
  const destination =
    normalizePhone(number) ??
    normalizePhone(keypadDigits(number)) ??
    invalid({ destination: 'This isn’t a phone number.' });
  const me = await ownPresenceSetUp(ctx);
  if (me.on_call) fail('calling.busy');
  // The caller's own leg is at one of our exchanges, whichever carrier the number has.
  if ((await ctx.gateways.carriers.exchange?.exchanges?.hasRoom()) === false) fail('calling.full');
  const begun = await ctx.transaction((t) =>
    beginCall(
      t,
      body.number_id,
      { destination, keys },
      { name: me.name, device: body.device, exchange },
    ),
  );
  await performCommands(ctx, begun.callRef);
  return {
    data: {
      call_id: begun.callRef.callId,
      token: joinToken(ctx.settings.appSecret, ctx.companyId, ctx.actor.userId, begun.leg),
      caller_id: begun.callerId,
      leg: begun.leg,
    },
  };
}

/** The number to call from; throws when it is not the user's, out of service or at its limit. */
async function requireCallable(t: TxCtx, numberId: number, destination: string) {
  const { tx, companyId } = t;
  const number = await readNumber(tx, companyId, numberId);
  // The caller ID must be an active number of ours that this user may use.
  if (!number || (t.numbers && !t.numbers.includes(numberId))) fail('calling.caller_id');
  const company = await companyRow(tx, companyId);
  if (company?.status) fail('company.inactive');
  if (company?.suspended_at) fail('company.suspended');
  await requireRoom(t, 'outbound_minutes', 1);
  const flow = await flowFor(t, numberId, {
    partyState: placeOfNumber(destination)?.state ?? null,
  });
  if (flow.service !== 'active' || destination === number.number) fail('calling.caller_id');
  if (await isBlocked(tx, companyId, numberId, destination))
    fail('calling.blocked', { number: destination });
  const callLimit = callLimitOf(company?.settings);
  if ((await countRunningCalls(tx, companyId)) >= callLimit) fail('calling.busy');
  return { number, flow };
}

/** The carrier that places calls of the number. */
function carrierOfNumber(
  t: TxCtx,
  number: { provider_id: number; provider_ref: string | null },
): string {
  const carrier =
    t.gateways.carriers.forNumber({
      providerId: number.provider_id,
      providerRef: number.provider_ref,
    }) ?? fail('number.carrier_gone');
  return carrier.voice?.name ?? fail('carrier.unreachable');
}

async function beginCall(
  t: TxCtx,
  numberId: number,
  { destination, keys }: { destination: string; keys: string },
  { name, device, exchange }: { name: string; device: string | undefined; exchange: string | null },
): Promise<{ callRef: CallRef; leg: string; callerId: string }> {
  const { tx, companyId, now, actor } = t;
  const { number, flow } = await requireCallable(t, numberId, destination);
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
      ...(keys ? { keys } : {}),
      ...(device ? { device } : {}),
    },
    engineInputs(t),
  );
  const carrier = carrierOfNumber(t, number);
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
    first_contact: !(await hasCalledBefore(tx, companyId, destination, now)),
    transcribe: number.call_transcription_enabled,
    recording_retention_days: number.recording_retention_days,
    created_at: now,
    updated_at: now,
  });
  await recordCallActivity(t, numberId, now);
  const batch = emptyBatch(begun.state);
  addStep(batch, begun);
  const live = {
    carrier,
    carrier_call: begun.state.firstLeg,
    // Null: chosen with its first command.
    exchange,
    state: batch.state,
  };
  await insertLive(tx, companyId, callRef.callId, live, now);
  await storeBatch(t, await lockExistingCall(tx, companyId, callRef.callId), null, batch);
  return { callRef, leg: begun.state.firstLeg, callerId: number.number };
}
