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
const waking = new Map<string, Map<string, NodeJS.Timeout>>();
const keyOf = (place: Place) => `${place.companyId}-${place.callId}`;
/** Longest sleep of a Node timer that still makes sense; what is further away the clock finds. Milliseconds. */
const FAR = 6 * 3_600_000;
/** Node wakes a moment before the clock says so, now and then. Milliseconds. */
const EARLY = 50;

/** Wake for exactly these timers of a call; those that no longer stand are let go. */
export function armTimers(house: House, said: Said, place: Place, timers: readonly Timer[]): void {
  const mine = waking.get(keyOf(place)) ?? new Map<string, NodeJS.Timeout>();
  for (const [id, handle] of mine)
    if (!timers.some((t) => t.id === id)) {
      clearTimeout(handle);
      mine.delete(id);
    }
  for (const timer of timers) {
    const wait = timer.at - house.now().getTime();
    if (mine.has(timer.id) || wait > FAR) continue;
    const handle = setTimeout(
      () => {
        // Our clock was set back meanwhile, or stands still: not due, and found by a worker's clock when it is.
        if (house.now().getTime() + EARLY < timer.at) return void mine.delete(timer.id);
        fireTimer(house, said, place, timer.id).catch((error: unknown) =>
          house.log.error({ err: error, ...place }, 'a call’s timer failed; the clock tries again'),
        );
      },
      Math.max(wait, 5),
    );
    handle.unref();
    mine.set(timer.id, handle);
  }
  if (mine.size) waking.set(keyOf(place), mine);
  else waking.delete(keyOf(place));
}

/** A timer came due. Late, twice or unknown: nothing happens. */
export async function fireTimer(house: House, said: Said, place: Place, id: string): Promise<void> {
  waking.get(keyOf(place))?.delete(id);
  const ran = await systemCtx(house, place.companyId, said, 'timer').transaction((ctx) =>
    runCall(ctx, place.callId, [{ type: 'timer', id }]),
  );
  if (ran) armTimers(house, said, place, ran.timers);
  await performCommands(house, place);
}

/** For tests: what a crash does to this process's memory. */
export function forgetTimers(): void {
  for (const timers of waking.values()) for (const handle of timers.values()) clearTimeout(handle);
  waking.clear();
}
