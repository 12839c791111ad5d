import type { Services, OutboxNotifier } from '../../platform/context.ts';
import { systemCtx } from '../../platform/context.ts';
import type { Timer } from '../routing/index.ts';
import { performCommands } from './perform-commands.ts';
import type { CallRef } from './call-ref.ts';
import { runCall } from './run-call.ts';

/**
 * A timer is a row; this process also wakes for it to the millisecond. If the process dies, the clock of a worker finds
 * the row within a second; if both wake, the second finds a timer that means nothing any more.
 */
const handlesByCall = new Map<string, Map<string, NodeJS.Timeout>>();
const keyOf = (callRef: CallRef) => `${callRef.companyId}-${callRef.callId}`;
/** Longest sleep of a Node timer that still makes sense; what is further away the clock finds. Milliseconds. */
const MAX_SLEEP_MS = 6 * 3_600_000;
/** Node wakes a moment before the clock says so, now and then. Milliseconds. */
const EARLY_WAKE_MS = 50;

/** Wake for exactly these timers of a call; those that no longer stand are let go. */
export function armTimers(
  services: Services,
  notifier: OutboxNotifier,
  callRef: CallRef,
  timers: readonly Timer[],
): void {
  const handles = handlesByCall.get(keyOf(callRef)) ?? new Map<string, NodeJS.Timeout>();
  for (const [id, handle] of handles)
    if (!timers.some((t) => t.id === id)) {
      clearTimeout(handle);
      handles.delete(id);
    }
  for (const timer of timers) {
    const wait = timer.at - services.now().getTime();
    if (handles.has(timer.id) || wait > MAX_SLEEP_MS) continue;
    const handle = setTimeout(
      () => {
        // Our clock was set back meanwhile, or stands still: not due, and found by a worker's clock when it is.
        if (services.now().getTime() + EARLY_WAKE_MS < timer.at)
          return void handles.delete(timer.id);
        fireTimer(services, notifier, callRef, timer.id).catch((error: unknown) =>
          services.log.error(
            { err: error, ...callRef },
            'a call’s timer failed; the clock will retry',
          ),
        );
      },
      Math.max(wait, 5),
    );
    handle.unref();
    handles.set(timer.id, handle);
  }
  if (handles.size) handlesByCall.set(keyOf(callRef), handles);
  else handlesByCall.delete(keyOf(callRef));
}

/** A timer came due. Late, twice or unknown: nothing happens. */
export async function fireTimer(
  services: Services,
  notifier: OutboxNotifier,
  callRef: CallRef,
  id: string,
): Promise<void> {
  handlesByCall.get(keyOf(callRef))?.delete(id);
  const ran = await systemCtx(services, callRef.companyId, notifier, 'timer').transaction((ctx) =>
    runCall(ctx, callRef.callId, [{ type: 'timer', id }]),
  );
  if (ran) armTimers(services, notifier, callRef, ran.timers);
  await performCommands(services, callRef);
}

/** For tests: what a crash does to this process's memory. */
export function forgetTimers(): void {
  for (const timers of handlesByCall.values())
    for (const handle of timers.values()) clearTimeout(handle);
  handlesByCall.clear();
}
