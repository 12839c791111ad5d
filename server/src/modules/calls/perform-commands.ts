import type { House } from '../../platform/context.ts';
import type { Place } from './place.ts';
import { readLive, commandsDone, commandsFailed, pendingCommands, type PendingCommand } from './store-live.ts';

type Hands = Pick<House, 'db' | 'ports' | 'log'> & { now: Date | (() => Date) };
const nowOf = (house: Hands) => (typeof house.now === 'function' ? house.now() : house.now);

/** One line per call: what a later step wants is never performed before what an earlier one wanted. */
const lines = new Map<string, Promise<void>>();
/** Tries before a command is given up; the sweep comes every second. */
const MOST_TRIES = 120;
/** What still makes sense once the call is over. */
const ending = new Set(['hangup', 'cancelLeg', 'reject', 'stopRecording', 'unbridge']);

/** Perform what a call wants from the carrier, in order, right now. What the carrier did not take stays pending for the sweep. */
export function performCommands(house: Hands, place: Place): Promise<void> {
  const key = `${place.companyId}-${place.callId}`;
  const run = (lines.get(key) ?? Promise.resolve()).then(() => performNow(house, place)).catch((error: unknown) => house.log.error({ err: error, ...place }, 'performing a call’s commands failed'));
  lines.set(key, run);
  void run.finally(() => { if (lines.get(key) === run) lines.delete(key); });
  return run;
}

async function performNow(house: Hands, place: Place): Promise<void> {
  const scope = { companyId: place.companyId };
  const { pending, over } = await house.db.within(scope, async (tx) => {
    const waiting = await pendingCommands(tx, place);
    const retried = waiting.some((c) => c.tries > 0);
    return { pending: waiting, over: retried && ((await readLive(tx, place.companyId, place.callId))?.over ?? true) };
  });
  // A carrier that comes back after the call is over is only told to let go: it must not begin to ring for the dead.
  const stale = pending.filter((c) => c.tries >= MOST_TRIES || (over && !ending.has(c.command.do)));
  const due = pending.filter((c) => !stale.includes(c));
  if (stale.length) await house.db.within(scope, (tx) => commandsDone(tx, place, ns(stale), nowOf(house), 'given up'));
  if (!due.length) return;
  try {
    await house.ports.voice.perform(due.map((c) => c.command));
  } catch (error) {
    house.log.warn({ err: error, ...place, commands: due.length }, 'the carrier did not take the commands; they will be tried again');
    await house.db.within(scope, (tx) => commandsFailed(tx, place, ns(due), String(error)));
    return;
  }
  await house.db.within(scope, (tx) => commandsDone(tx, place, ns(due), nowOf(house)));
}
const ns = (commands: readonly PendingCommand[]) => commands.map((c) => c.n);
