import type { Services, OutboxNotifier } from '../../../platform/context.ts';
import { systemCtx } from '../../../platform/context.ts';
import type { Timer } from '../../routing/index.ts';
import { performCommands } from './perform-commands.ts';
import type { CallRef } from './call-ref.ts';
import { runCall } from './run-call.ts';

/**
 * A timer is a row; this process also arms a Node timer for it. If the process dies, a worker's
 * call clock finds the row within a second; if both fire, the second one is ignored by the engine.
 */
const handlesByCall = new Map<string, Map<string, NodeJS.Timeout>>();
const keyOf = (callRef: CallRef) => `${callRef.companyId}-${callRef.callId}`;
/** Timers further away than this are left to the call clock. Milliseconds. */
const MAX_SLEEP_MS = 6 * 3_600_000;
/** Node may fire a timer this much early. Milliseconds. */
const EARLY_WAKE_MS = 50;

/** Arms exactly these timers of a call in this process and clears the others. */
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
        // The clock was set back or is frozen: not due yet, the call clock finds it later.
        if (services.now().getTime() + EARLY_WAKE_MS < timer.at)
          return void handles.delete(timer.id);
        fireTimer(services, notifier, callRef, timer.id).catch((error: unknown) =>
          services.log.error(
            { err: error, ...callRef },
            'a call timer failed; the call clock will retry it',
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

/** Applies a due timer. A late, duplicate or unknown one changes nothing. */
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

/** For tests: drops all armed timers, like a crash. */
export function forgetTimers(): void {
  for (const timers of handlesByCall.values())
    for (const handle of timers.values()) clearTimeout(handle);
  handlesByCall.clear();
}
