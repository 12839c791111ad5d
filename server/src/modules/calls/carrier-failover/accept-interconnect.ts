import { systemCtx, type Services, type OutboxNotifier } from '../../../platform/context.ts';
import type { VoiceEvent } from '../../../gateways/voice.ts';
import { performCommands } from '../runtime/perform-commands.ts';
import type { CallRef } from '../runtime/call-ref.ts';
import { addCommands, commandFor } from '../runtime/store-commands.ts';
import { insertCarrierCall, callRefOfCarrierCall } from '../runtime/store-directory.ts';
import { lockLive, takeExchange } from '../runtime/store-live.ts';
import { isSipInterconnect } from './route-commands.ts';
import {
  redeemInterconnectToken,
  findExpectedInterconnect,
  markArrived,
  findStuckFirstLeg,
} from './store.ts';

/** Admits a carrier's SIP call to our exchange by its one-time token; null = rejected. */
export const admitSipInterconnect = (services: Pick<Services, 'db' | 'now'>, token: string) =>
  redeemInterconnectToken(services.db, token, services.now());

/**
 * An inbound call that is the far end of one of our interconnects: attaches it to its call without
 * answering it, and rings the leg. null: an ordinary call.
 */
export async function acceptInterconnect(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  event: Extract<VoiceEvent, { type: 'inbound' }>,
): Promise<CallRef | null> {
  const expected = await findExpectedInterconnect(
    services.db,
    carrier,
    event.from,
    event.to,
    services.now(),
  );
  if (!expected) return null;
  const callRef = { companyId: expected.companyId, callId: expected.callId };
  return systemCtx(services, callRef.companyId, notifier, 'voice').transaction(async (t) => {
    const live = await lockLive(t.tx, callRef.companyId, callRef.callId);
    const leg = live?.state.legs.find((one) => one.id === expected.leg);
    if (!live || live.ended || !leg || leg.endedAt !== null || leg.state === 'leaving') return null;
    // Its other legs are at another exchange, which can't be joined with this one.
    const { exchange } = event;
    if (
      exchange &&
      (await takeExchange(t.tx, callRef.companyId, callRef.callId, exchange)) !== exchange
    )
      return null;
    if (!(await insertCarrierCall(t.tx, carrier, event.call, callRef.callId)))
      return callRefOfCarrierCall(services.db, carrier, event.call);
    const interconnect = await markArrived(t.tx, callRef, expected.leg, event.leg);
    if (interconnect)
      await addCommands(
        t.tx,
        callRef.companyId,
        callRef.callId,
        [
          commandFor(
            interconnect.carrier,
            isSipInterconnect(interconnect)
              ? { ...interconnect.ring, onBehalfOf: event.leg }
              : interconnect.ring,
          ),
        ],
        t.now,
      );
    return callRef;
  });
}

/** Failed attempts before an outbound call's first leg fails over. */
const MAX_TRIES = 2;

/**
 * Withdraws the first leg of an outbound call whose carrier is unreachable, so that it fails over;
 * only if the carrier certainly never received it.
 */
export async function withdrawStuckLeg(
  services: Services,
  callRef: CallRef,
  report: (carrier: string, event: VoiceEvent) => Promise<void>,
): Promise<void> {
  const stuck = await findStuckFirstLeg(services.db, callRef, MAX_TRIES);
  if (!stuck) return;
  const { carrier, leg } = stuck;
  // Only an adapter that stores what it submitted can tell.
  if (!(await services.gateways.carriers.byName(carrier)?.voice?.withdrawLeg?.(leg))) return;
  await report(carrier, {
    id: `${leg}:withdrawn`,
    call: leg,
    leg,
    seq: 1,
    at: services.now().getTime(),
    type: 'legEnded',
    cause: 'failed',
    notTaken: 'away',
  });
  await performCommands(services, callRef);
}
