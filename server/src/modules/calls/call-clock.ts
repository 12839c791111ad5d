import { systemCtx, type House, type Said } from '../../platform/context.ts';
import type { VoiceEvent } from '../../ports/voice.ts';
import { waysOf } from './other-way/store.ts';
import { takeBackWhenAway } from './other-way/take-line.ts';
import { isPerforming, performCommands } from './perform-commands.ts';
import type { Place } from './place.ts';
import { receiveVoice } from './inbound.ts';
import {
  callsWithPendingCommands,
  dueTimers,
  readLive,
  runningAt,
  silentCalls,
} from './store-live.ts';
import { fireTimer } from './timers.ts';

/** A command that was not performed this long after it was wanted lost its process. */
const COMMAND_LATE_MS = 2000;
/** A running call is asked about when nothing was heard of it for this long. */
const SILENT_MS = 20_000;

/** The clock waits no longer than this for a carrier before it looks at the other calls again. */
const PATIENCE_MS = 1500;
/** Calls it cares for at the same time. */
const AT_ONCE = 16;

/** The worker's clock for calls: every second, what the processes that began it can no longer do. */
export function startCallClock(house: House, said: Said): { stop(): Promise<void> } {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const restarts = new Map<string, number>();
  const tick = async () => {
    try {
      await endLostCalls(house, said, restarts);
      await sweepCalls(house, said, PATIENCE_MS);
    } catch (error) {
      if (!stopped) house.log.warn({ err: error }, 'the clock of calls missed a beat');
    }
  };
  const timer = setInterval(() => {
    running = running.then(tick);
  }, 1000);
  timer.unref();
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** Fire what is due, perform what is late, ask about what is silent. One call's slow carrier holds up no other call for longer than `patienceMs`. */
export async function sweepCalls(
  house: House,
  said: Said,
  patienceMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const now = house.now();
  const each = <T extends Place>(
    places: readonly T[],
    what: string,
    care: (place: T) => Promise<unknown>,
  ) =>
    careForAll(places, patienceMs, (place) =>
      care(place).catch((error: unknown) =>
        house.log.error(
          { err: error, companyId: place.companyId, callId: place.callId },
          `the clock could not ${what}; it comes again`,
        ),
      ),
    );
  await each(await dueTimers(house.db, now), 'fire a timer', ({ timer, ...place }) =>
    fireTimer(house, said, place, timer),
  );
  const late = await callsWithPendingCommands(house.db, new Date(now.getTime() - COMMAND_LATE_MS));
  await each(
    late.filter((place) => !isPerforming(place)),
    'perform commands',
    async (place) => {
      await takeBackWhenAway(
        house,
        place,
        async (carrier, event) => void (await receiveVoice(house, said, carrier, [event])),
      );
      await performCommands(house, place);
    },
  );
  await each(
    await silentCalls(house.db, new Date(now.getTime() - SILENT_MS), now),
    'ask about a call',
    (place) => reconcileCall(house, said, place),
  );
}

/** Some at a time; who is still waiting after `patienceMs` goes on alone. */
async function careForAll<T>(
  all: readonly T[],
  patienceMs: number,
  care: (one: T) => Promise<unknown>,
): Promise<void> {
  const left = [...all];
  const going = Promise.all(
    Array.from({ length: Math.min(AT_ONCE, left.length) }, async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await care(one);
    }),
  );
  if (patienceMs === Number.POSITIVE_INFINITY) return void (await going);
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    going,
    new Promise((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    }),
  ]);
  clearTimeout(timer);
  // What was not begun is found again at the next beat.
  left.length = 0;
}

/**
 * A media process that died took its calls along: as soon as it is back, calls from before end, at the time it came back
 * (the last time they can have carried sound), and not when somebody notices.
 * @param known when each carrier's process began, as seen last; changed here.
 */
export async function endLostCalls(
  house: House,
  said: Said,
  known: Map<string, number>,
): Promise<void> {
  const { all, exchange } = house.ports.carriers;
  const voices = new Map(
    [...all.map((one) => one.voice), exchange].flatMap((voice) =>
      voice ? [[voice.name, voice]] : [],
    ),
  );
  for (const voice of voices.values()) {
    const since = await voice.runningSince?.().catch(() => undefined); // away: it is asked again in a second
    if (since === undefined || known.get(voice.name) === since) continue;
    const places = await runningAt(house.db, voice.name);
    for (const place of places)
      await reconcileCall(house, said, place, { carrier: voice.name, since });
    known.set(voice.name, since);
  }
}

/**
 * Ask the carrier about the legs of a call it has been silent on; what it no longer knows has ended. So a call whose
 * media process died gets its one outcome.
 * @param restart only legs of this carrier from before its process began are asked about.
 */
export async function reconcileCall(
  house: House,
  said: Said,
  place: Place,
  restart?: { carrier: string; since: number },
): Promise<void> {
  const ctx = systemCtx(house, place.companyId, said, 'reconcile');
  const { live, ways } = await ctx.transaction(async (t) => ({
    live: await readLive(t.tx, place.companyId, place.callId),
    ways: await waysOf(t.tx, place),
  }));
  if (!live || live.over) return;
  const carrierOf = (leg: string) => ways.find((way) => way.leg === leg)?.carrier ?? live.carrier;
  const now = house.now().getTime();
  const open = live.state.legs.filter((leg) => leg.endedAt === null);
  const asked = restart
    ? open.filter((leg) => carrierOf(leg.id) === restart.carrier && leg.startedAt < restart.since)
    : open;
  const lost: VoiceEvent[] = [];
  for (const leg of asked) {
    const known = await house.ports.carriers
      .voice(carrierOf(leg.id))
      .askLeg(leg.id)
      .catch(() => 'unreachable' as const);
    if (known === 'unreachable') return; // the carrier is away: it may still hold the call
    if (known !== null && known.state !== 'ended') continue;
    const report = {
      id: `asked:${leg.id}`,
      call: live.carrier_call,
      leg: leg.id,
      seq: Number.MAX_SAFE_INTEGER,
      type: 'legEnded' as const,
    };
    if (known === null)
      lost.push({
        ...report,
        at: Math.min(now, restart?.since ?? now),
        cause: 'failed',
        lost: true,
      });
    else lost.push({ ...report, at: now, cause: known.cause ?? 'failed' });
  }
  if (lost.length === 0) return;
  // When somebody hung up, the others' legs say who; when all is lost, the call is lost at once, and nobody else is rung.
  const { firstLeg } = live.state;
  const allLost =
    lost.length === open.length && lost.every((one) => one.type === 'legEnded' && one.lost);
  const firstFirst = (event: VoiceEvent) => Number(event.leg === firstLeg) * (allLost ? -1 : 1);
  await receiveVoice(
    house,
    said,
    live.carrier,
    lost.sort((a, b) => firstFirst(a) - firstFirst(b)),
  ).then((r) => r.performed);
}
