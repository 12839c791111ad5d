import { endExchange, exchangesWithoutLease } from '../../../platform/exchanges.ts';
import { systemCtx, type Services, type OutboxNotifier } from '../../../platform/context.ts';
import type { VoiceEvent } from '../../../gateways/voice.ts';
import { interconnectsOf } from '../carrier-failover/store.ts';
import { withdrawStuckLeg } from '../carrier-failover/accept-interconnect.ts';
import { isPerforming, performCommands } from './perform-commands.ts';
import type { CallRef } from './call-ref.ts';
import { receiveVoiceEvents } from './receive-events.ts';
import { readLive } from './store-live.ts';
import {
  callsWithoutExchange,
  callsWithOverdueCommands,
  dueTimers,
  leaveExchange,
  silentCalls,
} from './store-sweep.ts';
import { fireTimer } from './timers.ts';

/** A running call without carrier events for this long is reconciled. */
const SILENT_MS = 20_000;

/** The most time one tick waits for a slow carrier. */
const CARRIER_TIMEOUT_MS = 1500;
/** Calls handled concurrently. */
const MAX_CONCURRENT = 16;

/** Starts the worker's call clock: every second it continues calls whose process died. */
export function startCallClock(
  services: Services,
  notifier: OutboxNotifier,
): { stop(): Promise<void> } {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const tick = async () => {
    try {
      await endLostCalls(services, notifier);
      await sweepCalls(services, notifier, CARRIER_TIMEOUT_MS);
    } catch (error) {
      if (!stopped) services.log.warn({ err: error }, 'a tick of the call clock failed');
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

/**
 * Fires due timers, performs overdue commands, reconciles silent calls. A slow carrier delays other
 * calls by `timeoutMs` at most.
 */
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
          `the call clock could not ${description}; it will retry`,
        ),
      ),
    );
  await each(await dueTimers(services.db, now), 'fire a timer', ({ timer, ...callRef }) =>
    fireTimer(services, notifier, callRef, timer),
  );
  const late = await callsWithOverdueCommands(services.db, now);
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
    'reconcile a call',
    (callRef) => reconcileCall(services, notifier, callRef),
  );
}

/** Handles `MAX_CONCURRENT` items at a time; what still runs after `timeoutMs` is not awaited. */
async function forEachWithTimeout<T>(
  all: readonly T[],
  timeoutMs: number,
  handle: (one: T) => Promise<unknown>,
): Promise<void> {
  const queue = [...all];
  const running = Promise.all(
    Array.from({ length: Math.min(MAX_CONCURRENT, queue.length) }, async () => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) await handle(one);
    }),
  );
  if (timeoutMs === Number.POSITIVE_INFINITY) return void (await running);
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    running,
    new Promise((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    }),
  ]);
  clearTimeout(timer);
  // The next tick finds again what was not started.
  queue.length = 0;
}

/**
 * Ends the calls of exchanges that have ended, or are lost: without a lease, and without an answer.
 * They end when their exchange was last seen, the latest they can have carried audio.
 */
export async function endLostCalls(services: Services, notifier: OutboxNotifier): Promise<void> {
  const { db, gateways, log } = services;
  for (const exchange of await exchangesWithoutLease(db)) {
    // It may only have lost the database, and then its calls go on.
    if (await gateways.carriers.exchange?.exchanges?.answers(exchange)) continue;
    if (await endExchange(db, exchange))
      log.error({ exchange }, 'an exchange is lost; its calls end');
  }
  for (const { exchange, endedAt, ...callRef } of await callsWithoutExchange(db)) {
    await reconcileCall(services, notifier, callRef, endedAt);
    // A carrier's call goes on, and may ring people through another exchange.
    await leaveExchange(db, callRef, exchange);
  }
}

/**
 * Asks the carrier about the open legs of a call. A leg it no longer knows has ended, so a call
 * whose media process died gets its outcome.
 * @param exchangeEndedAt only check legs at our exchange, which ended then.
 */
async function reconcileCall(
  services: Services,
  notifier: OutboxNotifier,
  callRef: CallRef,
  exchangeEndedAt?: Date,
): Promise<void> {
  const ctx = systemCtx(services, callRef.companyId, notifier, 'reconcile');
  const { live, interconnects } = await ctx.transaction(async (t) => ({
    live: await readLive(t.tx, callRef.companyId, callRef.callId),
    interconnects: await interconnectsOf(t.tx, callRef),
  }));
  if (!live || live.ended) return;
  const { carriers } = services.gateways;
  const carrierOf = (leg: string) =>
    interconnects.find((interconnect) => interconnect.leg === leg)?.carrier ?? live.carrier;
  const now = services.now().getTime();
  const open = live.state.legs.filter((leg) => leg.endedAt === null);
  const checked = exchangeEndedAt
    ? open.filter((leg) => carrierOf(leg.id) === carriers.exchange?.name)
    : open;
  const lost: VoiceEvent[] = [];
  for (const leg of checked) {
    const known = await carriers
      .voice(carrierOf(leg.id))
      .getLegStatus(leg.id, live.exchange)
      .catch(() => 'unreachable' as const);
    // During an outage the carrier may still have the call.
    if (known === 'unreachable') return;
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
        at: Math.min(now, exchangeEndedAt?.getTime() ?? now),
        cause: 'failed',
        lost: true,
      });
    else lost.push({ ...report, at: now, cause: known.cause ?? 'failed' });
  }
  if (lost.length === 0) return;
  // After a hangup the other legs' events tell who left, so the first leg comes last. When every
  // leg is lost it comes first: the call ends at once and rings no one else.
  const { firstLeg } = live.state;
  const allLost =
    lost.length === open.length && lost.every((one) => one.type === 'legEnded' && one.lost);
  const rank = (event: VoiceEvent) => Number(event.leg === firstLeg) * (allLost ? -1 : 1);
  await receiveVoiceEvents(
    services,
    notifier,
    live.carrier,
    lost.sort((a, b) => rank(a) - rank(b)),
  ).then((r) => r.performed);
}
