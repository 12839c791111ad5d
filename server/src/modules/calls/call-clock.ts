import { systemCtx, type Services, type OutboxNotifier } from '../../platform/context.ts';
import type { VoiceEvent } from '../../gateways/voice.ts';
import { interconnectsOf } from './carrier-failover/store.ts';
import { withdrawStuckLeg } from './carrier-failover/accept-interconnect.ts';
import { isPerforming, performCommands } from './perform-commands.ts';
import type { CallRef } from './call-ref.ts';
import { receiveVoiceEvents } from './receive-events.ts';
import {
  callsWithPendingCommands,
  dueTimers,
  readLive,
  runningCallsAt,
  silentCalls,
} from './store-live.ts';
import { fireTimer } from './timers.ts';

/** A command that was not performed this long after it was wanted lost its process. */
const COMMAND_OVERDUE_MS = 2000;
/** A running call is asked about when nothing was heard of it for this long. */
const SILENT_MS = 20_000;

/** The clock waits no longer than this for a carrier before it looks at the other calls again. */
const CARRIER_TIMEOUT_MS = 1500;
/** Calls it cares for at the same time. */
const MAX_CONCURRENT = 16;

/** The worker's clock for calls: every second, what the processes that began it can no longer do. */
export function startCallClock(
  services: Services,
  notifier: OutboxNotifier,
): { stop(): Promise<void> } {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const restarts = new Map<string, number>();
  const tick = async () => {
    try {
      await endLostCalls(services, notifier, restarts);
      await sweepCalls(services, notifier, CARRIER_TIMEOUT_MS);
    } catch (error) {
      if (!stopped) services.log.warn({ err: error }, 'the call clock missed a tick');
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
  services: Services,
  notifier: OutboxNotifier,
  timeoutMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const now = services.now();
  const each = <T extends CallRef>(
    callRefs: readonly T[],
    description: string,
    sweepCall: (callRef: T) => Promise<unknown>,
  ) =>
    forEachWithTimeout(callRefs, timeoutMs, (callRef) =>
      sweepCall(callRef).catch((error: unknown) =>
        services.log.error(
          { err: error, companyId: callRef.companyId, callId: callRef.callId },
          `the clock could not ${description}; it will retry`,
        ),
      ),
    );
  await each(await dueTimers(services.db, now), 'fire a timer', ({ timer, ...callRef }) =>
    fireTimer(services, notifier, callRef, timer),
  );
  const late = await callsWithPendingCommands(
    services.db,
    new Date(now.getTime() - COMMAND_OVERDUE_MS),
  );
  await each(
    late.filter((callRef) => !isPerforming(callRef)),
    'perform commands',
    async (callRef) => {
      await withdrawStuckLeg(
        services,
        callRef,
        async (carrier, event) =>
          void (await receiveVoiceEvents(services, notifier, carrier, [event])),
      );
      await performCommands(services, callRef);
    },
  );
  await each(
    await silentCalls(services.db, new Date(now.getTime() - SILENT_MS), now),
    'check on a call',
    (callRef) => reconcileCall(services, notifier, callRef),
  );
}

/** Some at a time; who is still waiting after `patienceMs` goes on alone. */
async function forEachWithTimeout<T>(
  all: readonly T[],
  timeoutMs: number,
  handle: (one: T) => Promise<unknown>,
): Promise<void> {
  const left = [...all];
  const going = Promise.all(
    Array.from({ length: Math.min(MAX_CONCURRENT, left.length) }, async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await handle(one);
    }),
  );
  if (timeoutMs === Number.POSITIVE_INFINITY) return void (await going);
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    going,
    new Promise((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    }),
  ]);
  clearTimeout(timer);
  // What was not begun is found again at the next beat.
  left.length = 0;
}

/**
 * A media process that died took its calls along: as soon as it is back, calls from before end, at the time it came back
 * (the last time they can have carried sound), and not when somebody notices.
 * @param startedAt when each carrier's process began, as seen last; changed here.
 */
export async function endLostCalls(
  services: Services,
  notifier: OutboxNotifier,
  startedAt: Map<string, number>,
): Promise<void> {
  const { all, exchange } = services.gateways.carriers;
  const voices = new Map(
    [...all.map((one) => one.voice), exchange].flatMap((voice) =>
      voice ? [[voice.name, voice]] : [],
    ),
  );
  for (const voice of voices.values()) {
    const since = await voice.runningSince?.().catch(() => undefined); // away: it is asked again in a second
    if (since === undefined || startedAt.get(voice.name) === since) continue;
    const callRefs = await runningCallsAt(services.db, voice.name);
    for (const callRef of callRefs)
      await reconcileCall(services, notifier, callRef, { carrier: voice.name, since });
    startedAt.set(voice.name, since);
  }
}

/**
 * Ask the carrier about the legs of a call it has been silent on; what it no longer knows has ended. So a call whose
 * media process died gets its one outcome.
 * @param restart only legs of this carrier from before its process began are asked about.
 */
export async function reconcileCall(
  services: Services,
  notifier: OutboxNotifier,
  callRef: CallRef,
  restart?: { carrier: string; since: number },
): Promise<void> {
  const ctx = systemCtx(services, callRef.companyId, notifier, 'reconcile');
  const { live, ways: interconnects } = await ctx.transaction(async (t) => ({
    live: await readLive(t.tx, callRef.companyId, callRef.callId),
    ways: await interconnectsOf(t.tx, callRef),
  }));
  if (!live || live.over) return;
  const carrierOf = (leg: string) =>
    interconnects.find((interconnect) => interconnect.leg === leg)?.carrier ?? live.carrier;
  const now = services.now().getTime();
  const open = live.state.legs.filter((leg) => leg.endedAt === null);
  const asked = restart
    ? open.filter((leg) => carrierOf(leg.id) === restart.carrier && leg.startedAt < restart.since)
    : open;
  const lost: VoiceEvent[] = [];
  for (const leg of asked) {
    const known = await services.gateways.carriers
      .voice(carrierOf(leg.id))
      .getLegStatus(leg.id)
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
  await receiveVoiceEvents(
    services,
    notifier,
    live.carrier,
    lost.sort((a, b) => firstFirst(a) - firstFirst(b)),
  ).then((r) => r.performed);
}
