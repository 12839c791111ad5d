import { systemCtx, type House, type Said } from '../../../platform/context.ts';
import type { VoiceEvent } from '../../../ports/voice.ts';
import { performCommands } from '../perform-commands.ts';
import type { Place } from '../place.ts';
import { addCommands, claimCall, lockLive, placeOfCarrierCall, toldBy } from '../store-live.ts';
import { bySip } from './through-ways.ts';
import { admitLine, expectedLine, lineArrived, stuckAtFirstLeg } from './store.ts';

/** A carrier dials our exchange by SIP with a line's token: who calls whom there, or null when it may not come in. */
export const admitSipLine = (house: Pick<House, 'db' | 'now'>, token: string) =>
  admitLine(house.db, token, house.now());

/**
 * A call to one of our numbers, or to our exchange by SIP, that is the far end of a line of ours: it belongs to that call, is not picked up yet, and
 * now the leg may be rung. null: it is an ordinary call.
 */
export async function takeLine(
  house: House,
  said: Said,
  carrier: string,
  event: Extract<VoiceEvent, { type: 'inbound' }>,
): Promise<Place | null> {
  const expected = await expectedLine(house.db, carrier, event.from, event.to, house.now());
  if (!expected) return null;
  const place = { companyId: expected.companyId, callId: expected.callId };
  return systemCtx(house, place.companyId, said, 'voice').transaction(async (t) => {
    const live = await lockLive(t.tx, place.companyId, place.callId);
    const leg = live?.state.legs.find((one) => one.id === expected.leg);
    if (!live || live.over || !leg || leg.endedAt !== null || leg.state === 'leaving') return null;
    if (!(await claimCall(t.tx, carrier, event.call, place.callId)))
      return placeOfCarrierCall(house.db, carrier, event.call);
    const way = await lineArrived(t.tx, place, expected.leg, event.leg);
    if (way)
      await addCommands(
        t.tx,
        place.companyId,
        place.callId,
        [toldBy(way.carrier, bySip(way) ? { ...way.ring, onBehalfOf: event.leg } : way.ring)],
        t.now,
      );
    return place;
  });
}

/** Tries a carrier gets before a call that was placed goes another way. */
const TRIES = 2;

/** A call that was placed and whose carrier cannot be reached at all: taken back there, if it was certainly never asked, so that it may go another way. */
export async function takeBackWhenAway(
  house: House,
  place: Place,
  hear: (carrier: string, event: VoiceEvent) => Promise<void>,
): Promise<void> {
  const stuck = await stuckAtFirstLeg(house.db, place, TRIES);
  if (!stuck) return;
  const { carrier, leg } = stuck;
  // Only a carrier that keeps a book of what it was asked can tell.
  if (!(await house.ports.carriers.named(carrier)?.voice?.withdraw?.(leg))) return;
  await hear(carrier, {
    id: `${leg}:withdrawn`,
    call: leg,
    leg,
    seq: 1,
    at: house.now().getTime(),
    type: 'legEnded',
    cause: 'failed',
    notTaken: 'away',
  });
  await performCommands(house, place);
}
