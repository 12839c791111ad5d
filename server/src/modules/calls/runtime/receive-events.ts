import { systemCtx, type Services, type OutboxNotifier } from '../../../platform/context.ts';
import type { VoiceEvent } from '../../../gateways/voice.ts';

import { beginInbound } from './begin-inbound.ts';
import { acceptInterconnect } from '../carrier-failover/accept-interconnect.ts';
import { performCommands } from './perform-commands.ts';
import { callRefOfName, type CallRef } from './call-ref.ts';
import { runCall } from './run-call.ts';
import { insertEarlyEvent, findNumberOwner, callRefOfCarrierCall } from './store-directory.ts';

import { armTimers } from './timers.ts';

type Inbound = Extract<VoiceEvent, { type: 'inbound' }>;

/**
 * Applies a carrier's events to their calls. All of it is stored when this resolves, so the
 * carrier's request can be answered; `performed` resolves when the resulting commands are
 * performed.
 */
export async function receiveVoiceEvents(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  events: readonly VoiceEvent[],
): Promise<{ performed: Promise<void> }> {
  const performing: Promise<void>[] = [];
  for (const { callRef, reports } of await groupByCall(services, carrier, events)) {
    const reached =
      callRef ?? (await handleUnknownCall(services, notifier, carrier, reports, performing));
    if (!reached) continue;
    if (callRef) await applyReports(services, notifier, callRef, reports, carrier);
    performing.push(performCommands(services, reached));
  }
  return { performed: Promise.all(performing).then(() => undefined) };
}

async function applyReports(
  services: Services,
  notifier: OutboxNotifier,
  callRef: CallRef,
  reports: readonly VoiceEvent[],
  carrier: string,
): Promise<void> {
  const result = await systemCtx(services, callRef.companyId, notifier, 'voice').transaction(
    (ctx) => runCall(ctx, callRef.callId, reports, carrier),
  );
  if (result) armTimers(services, notifier, callRef, result.timers);
}

/** Events of an unknown call: begin it, reject it, or keep them until it is announced (null). */
async function handleUnknownCall(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  reports: readonly VoiceEvent[],
  performing: Promise<void>[],
): Promise<CallRef | null> {
  const first = reports.findIndex((e) => e.type === 'inbound');
  const inbound = reports[first] as Inbound | undefined;
  if (!inbound) return keepEarlyEvents(services, notifier, carrier, reports);
  const interconnected = await acceptInterconnect(services, notifier, carrier, inbound);
  if (interconnected) return interconnected;
  const number = await findNumberOwner(services.db, inbound.to);
  if (!number) {
    services.log.info({ to: inbound.to }, 'inbound call to an unknown number');
    performing.push(rejectUnknownNumber(services, carrier, inbound));
    return null;
  }
  const begun = await systemCtx(services, number.companyId, notifier, 'voice').transaction((ctx) =>
    beginInbound(ctx, carrier, number.numberId, inbound),
  );
  const callRef =
    begun?.callRef ?? (await callRefOfCarrierCall(services.db, carrier, inbound.call));
  if (!callRef) return null;
  if (begun) armTimers(services, notifier, callRef, begun.timers);
  const rest = reports.filter((_, i) => i !== first);
  if (rest.length) await applyReports(services, notifier, callRef, rest, carrier);
  return callRef;
}

/** Keeps events that arrived before their call was announced; applies them if it was meanwhile. */
async function keepEarlyEvents(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  reports: readonly VoiceEvent[],
): Promise<CallRef | null> {
  const late: VoiceEvent[] = [];
  let callRef: CallRef | null = null;
  for (const report of reports) {
    callRef = await insertEarlyEvent(services.db, carrier, report);
    if (callRef) late.push(report);
  }
  if (callRef) await applyReports(services, notifier, callRef, late, carrier);
  return callRef;
}

async function rejectUnknownNumber(
  services: Services,
  carrier: string,
  { leg, exchange }: Inbound,
): Promise<void> {
  try {
    await services.gateways.carriers
      .voice(carrier)
      .perform([{ id: `${leg}.refused`, do: 'reject', leg, because: 'notInService' }], exchange);
  } catch (error) {
    services.log.warn({ err: error }, 'could not reject an inbound call');
  }
}

/**
 * Groups events by call, in the order they arrived. Legs we created carry their call in the name;
 * the caller's leg is looked up in the directory.
 */
async function groupByCall(
  services: Services,
  carrier: string,
  events: readonly VoiceEvent[],
): Promise<{ callRef: CallRef | null; reports: VoiceEvent[] }[]> {
  const groups = new Map<string, { callRef: CallRef | null; reports: VoiceEvent[] }>();
  const lookedUp = new Map<string, CallRef | null>();
  for (const event of events) {
    let callRef =
      callRefOfName(event.leg) ??
      callRefOfName(event.call) ??
      (event.type === 'recordingReady' ? callRefOfName(event.recordingId) : null);
    if (!callRef) {
      if (!lookedUp.has(event.call))
        lookedUp.set(event.call, await callRefOfCarrierCall(services.db, carrier, event.call));
      callRef = lookedUp.get(event.call) ?? null;
    }
    const key = callRef ? `${callRef.companyId}-${callRef.callId}` : event.call;
    const group = groups.get(key) ?? { callRef, reports: [] };
    group.reports.push(event);
    groups.set(key, group);
  }
  return [...groups.values()];
}
