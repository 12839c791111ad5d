import { systemCtx, type Services, type OutboxNotifier } from '../../platform/context.ts';
import type { VoiceEvent } from '../../gateways/voice.ts';

import { beginInbound } from './begin-inbound.ts';
import { acceptInterconnect } from './carrier-failover/accept-interconnect.ts';
import { performCommands } from './perform-commands.ts';
import { callRefOfName, type CallRef } from './call-ref.ts';
import { runCall } from './run-call.ts';
import {
  insertEarlyEvent,
  VersionConflict,
  findNumberOwner,
  callRefOfCarrierCall,
} from './store-live.ts';
import { armTimers } from './timers.ts';

/**
 * What a carrier reports about calls. Everything is stored when this resolves (answer the carrier then); what follows is
 * performed at once but not waited for: `performed` resolves when it is.
 */
export async function receiveVoiceEvents(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  events: readonly VoiceEvent[],
): Promise<{ performed: Promise<void> }> {
  const performing: Promise<void>[] = [];
  for (const { place: callRef, reports } of await groupByCall(services, carrier, events)) {
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
  retries = 3,
): Promise<void> {
  try {
    const result = await systemCtx(services, callRef.companyId, notifier, 'voice').transaction(
      (ctx) => runCall(ctx, callRef.callId, reports, carrier),
    );
    if (result) armTimers(services, notifier, callRef, result.timers);
  } catch (error) {
    if (!(error instanceof VersionConflict) || retries === 0) throw error;
    await applyReports(services, notifier, callRef, reports, carrier, retries - 1);
  }
}

/** A call nobody knows yet: begin it, turn it away (`performing`), or wait for its announcement. */
async function handleUnknownCall(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  reports: readonly VoiceEvent[],
  performing: Promise<void>[],
): Promise<CallRef | null> {
  const first = reports.findIndex((e) => e.type === 'inbound');
  const inbound = reports[first] as Extract<VoiceEvent, { type: 'inbound' }> | undefined;
  if (!inbound) {
    // It overtook its announcement, which will take it along.
    const late: VoiceEvent[] = [];
    let callRef: CallRef | null = null;
    for (const report of reports) {
      callRef = await insertEarlyEvent(services.db, carrier, report);
      if (callRef) late.push(report);
    }
    if (callRef) await applyReports(services, notifier, callRef, late, carrier);
    return callRef;
  }
  const interconnected = await acceptInterconnect(services, notifier, carrier, inbound);
  if (interconnected) return interconnected;
  const number = await findNumberOwner(services.db, inbound.to);
  if (!number) {
    services.log.info({ to: inbound.to }, 'a call to an unassigned number');
    performing.push(
      services.gateways.carriers
        .voice(carrier)
        .perform([
          { id: `${inbound.leg}.refused`, do: 'reject', leg: inbound.leg, because: 'notInService' },
        ])
        .catch((error: unknown) => services.log.warn({ err: error }, 'could not reject a call')),
    );
    return null;
  }
  const begun = await systemCtx(services, number.companyId, notifier, 'voice').transaction((ctx) =>
    beginInbound(ctx, carrier, number.numberId, inbound),
  );
  const callRef = begun?.place ?? (await callRefOfCarrierCall(services.db, carrier, inbound.call));
  if (!callRef) return null;
  if (begun) armTimers(services, notifier, callRef, begun.timers);
  const rest = reports.filter((_, i) => i !== first);
  if (rest.length) await applyReports(services, notifier, callRef, rest, carrier);
  return callRef;
}

/** Reports of one call together, in the order they came. A leg we named leads home by its name; the caller's own by the directory. */
async function groupByCall(
  services: Services,
  carrier: string,
  events: readonly VoiceEvent[],
): Promise<{ place: CallRef | null; reports: VoiceEvent[] }[]> {
  const groups = new Map<string, { place: CallRef | null; reports: VoiceEvent[] }>();
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
    const group = groups.get(key) ?? { place: callRef, reports: [] };
    group.reports.push(event);
    groups.set(key, group);
  }
  return [...groups.values()];
}
