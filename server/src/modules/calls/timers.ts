import type { House, Said } from '../../platform/context.ts';
import { systemCtx } from '../../platform/context.ts';
import type { Timer } from '../routing/index.ts';
import { performCommands } from './perform-commands.ts';
import type { Place } from './place.ts';
import { runCall } from './run-call.ts';

/**
 * A timer is a row; this process also wakes for it to the millisecond. If the process dies, the clock of a worker finds
 * the row within a second; if both wake, the second finds a timer that means nothing any more.
 */
const waking = new Map<string, NodeJS.Timeout>();
const keyOf = (place: Place, id: string) => `${place.companyId}-${place.callId}/${id}`;
/** Longest sleep of a Node timer that still makes sense; what is further away the clock finds. Milliseconds. */
const FAR = 6 * 3_600_000;

export function armTimers(house: House, said: Said, place: Place, timers: readonly Timer[]): void {
  for (const timer of timers) {
    const key = keyOf(place, timer.id);
    const wait = timer.at - house.now().getTime();
    if (waking.has(key) || wait > FAR) continue;
    const handle = setTimeout(() => {
      waking.delete(key);
      if (house.now().getTime() < timer.at) return armTimers(house, said, place, [timer]); // the clock was set back, or stands still
      fireTimer(house, said, place, timer.id).catch((error: unknown) => house.log.error({ err: error, ...place }, 'a call’s timer failed; the clock tries again'));
      return undefined;
    }, Math.max(wait, 5));
    handle.unref();
    waking.set(key, handle);
  }
}

/** A timer came due. Late, twice or unknown: nothing happens. */
export async function fireTimer(house: House, said: Said, place: Place, id: string): Promise<void> {
  const ran = await systemCtx(house, place.companyId, said, 'timer').transaction((ctx) => runCall(ctx, place.callId, [{ type: 'timer', id }]));
  if (ran) armTimers(house, said, place, ran.timers);
  await performCommands(house, place);
}

/** For tests: what a crash does to this process's memory. */
export function forgetTimers(): void {
  for (const handle of waking.values()) clearTimeout(handle);
  waking.clear();
}
