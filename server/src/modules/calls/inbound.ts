import { systemCtx, type House, type Said } from '../../platform/context.ts';
import type { VoiceEvent } from '../../ports/voice.ts';

import { beginInbound } from './begin-inbound.ts';
import { takeLine } from './other-way/take-line.ts';
import { performCommands } from './perform-commands.ts';
import { placeOfName, type Place } from './place.ts';
import { runCall } from './run-call.ts';
import { keepEarly, Overtaken, ownerOfNumber, placeOfCarrierCall } from './store-live.ts';
import { armTimers } from './timers.ts';

/**
 * What a carrier reports about calls. Everything is stored when this resolves (answer the carrier then); what follows is
 * performed at once but not waited for: `performed` resolves when it is.
 */
export async function receiveVoice(
  house: House,
  said: Said,
  carrier: string,
  events: readonly VoiceEvent[],
): Promise<{ performed: Promise<void> }> {
  const performing: Promise<void>[] = [];
  for (const { place, reports } of await byCall(house, carrier, events)) {
    const reached = place ?? (await announce(house, said, carrier, reports, performing));
    if (!reached) continue;
    if (place) await hear(house, said, place, reports, carrier);
    performing.push(performCommands(house, reached));
  }
  return { performed: Promise.all(performing).then(() => undefined) };
}

async function hear(
  house: House,
  said: Said,
  place: Place,
  reports: readonly VoiceEvent[],
  carrier: string,
  again = 3,
): Promise<void> {
  try {
    const ran = await systemCtx(house, place.companyId, said, 'voice').transaction((ctx) =>
      runCall(ctx, place.callId, reports, carrier),
    );
    if (ran) armTimers(house, said, place, ran.timers);
  } catch (error) {
    if (!(error instanceof Overtaken) || again === 0) throw error;
    await hear(house, said, place, reports, carrier, again - 1);
  }
}

/** A call nobody knows yet: begin it, turn it away (`performing`), or wait for its announcement. */
async function announce(
  house: House,
  said: Said,
  carrier: string,
  reports: readonly VoiceEvent[],
  performing: Promise<void>[],
): Promise<Place | null> {
  const first = reports.findIndex((e) => e.type === 'inbound');
  const inbound = reports[first] as Extract<VoiceEvent, { type: 'inbound' }> | undefined;
  if (!inbound) {
    // It overtook its announcement, which will take it along.
    const late: VoiceEvent[] = [];
    let place: Place | null = null;
    for (const report of reports) {
      place = await keepEarly(house.db, carrier, report);
      if (place) late.push(report);
    }
    if (place) await hear(house, said, place, late, carrier);
    return place;
  }
  const line = await takeLine(house, said, carrier, inbound);
  if (line) return line;
  const number = await ownerOfNumber(house.db, inbound.to);
  if (!number) {
    house.log.info({ to: inbound.to }, 'a call to a number that is nobody’s');
    performing.push(
      house.ports.carriers
        .voice(carrier)
        .perform([
          { id: `${inbound.leg}.refused`, do: 'reject', leg: inbound.leg, because: 'notInService' },
        ])
        .catch((error: unknown) => house.log.warn({ err: error }, 'could not turn a call away')),
    );
    return null;
  }
  const begun = await systemCtx(house, number.companyId, said, 'voice').transaction((ctx) =>
    beginInbound(ctx, carrier, number.numberId, inbound),
  );
  const place = begun?.place ?? (await placeOfCarrierCall(house.db, carrier, inbound.call));
  if (!place) return null;
  if (begun) armTimers(house, said, place, begun.timers);
  const rest = reports.filter((_, i) => i !== first);
  if (rest.length) await hear(house, said, place, rest, carrier);
  return place;
}

/** Reports of one call together, in the order they came. A leg we named leads home by its name; the caller's own by the directory. */
async function byCall(
  house: House,
  carrier: string,
  events: readonly VoiceEvent[],
): Promise<{ place: Place | null; reports: VoiceEvent[] }[]> {
  const found = new Map<string, { place: Place | null; reports: VoiceEvent[] }>();
  const looked = new Map<string, Place | null>();
  for (const event of events) {
    let place =
      placeOfName(event.leg) ??
      placeOfName(event.call) ??
      (event.type === 'recordingReady' ? placeOfName(event.recordingId) : null);
    if (!place) {
      if (!looked.has(event.call))
        looked.set(event.call, await placeOfCarrierCall(house.db, carrier, event.call));
      place = looked.get(event.call) ?? null;
    }
    const key = place ? `${place.companyId}-${place.callId}` : event.call;
    const group = found.get(key) ?? { place, reports: [] };
    group.reports.push(event);
    found.set(key, group);
  }
  return [...found.values()];
}
