import type { House } from '../../platform/context.ts';
import type { Place } from './place.ts';
import {
  readLive,
  commandsDone,
  commandsFailed,
  pendingCommands,
  type PendingCommand,
} from './store-live.ts';

type Hands = Pick<House, 'db' | 'ports' | 'log'> & { now: Date | (() => Date) };
const nowOf = (house: Hands) => (typeof house.now === 'function' ? house.now() : house.now);

/** One line per call: what a later step wants is never performed before what an earlier one wanted. */
const lines = new Map<string, Promise<void>>();
/**
 * A command older than this is given up. By age and not by tries: a carrier that is away is left alone (its breaker), and
 * what hangs up a call that is still up there must be said when it is back, or the call would go on and cost for ever.
 */
const GIVEN_UP_MS = 30 * 60_000;
/** What still makes sense once the call is over. */
const ending = new Set(['hangup', 'cancelLeg', 'reject', 'stopRecording', 'unbridge']);

/** Perform what a call wants from the carrier, in order, right now. What the carrier did not take stays pending for the sweep. */
export function performCommands(house: Hands, place: Place): Promise<void> {
  const key = `${place.companyId}-${place.callId}`;
  const run = (lines.get(key) ?? Promise.resolve())
    .then(() => performNow(house, place))
    .catch((error: unknown) =>
      house.log.error({ err: error, ...place }, 'performing a call’s commands failed'),
    );
  lines.set(key, run);
  void run.finally(() => {
    if (lines.get(key) === run) lines.delete(key);
  });
  return run;
}

/** Is a call's line busy right now: somebody else performs for it, or waits for a slow carrier? */
export const isPerforming = (place: Place): boolean =>
  lines.has(`${place.companyId}-${place.callId}`);

async function performNow(house: Hands, place: Place): Promise<void> {
  const scope = { companyId: place.companyId };
  const { pending, over } = await house.db.within(scope, async (tx) => {
    const waiting = await pendingCommands(tx, place);
    const retried = waiting.some((c) => c.tries > 0);
    return {
      pending: waiting,
      over: retried && ((await readLive(tx, place.companyId, place.callId))?.over ?? true),
    };
  });
  // A carrier that comes back after the call is over is only told to let go: it must not begin to ring for the dead.
  const now = nowOf(house).getTime();
  const tooOld = pending.filter((c) => now - c.created_at.getTime() > GIVEN_UP_MS);
  if (tooOld.length)
    house.log.error(
      { ...place, commands: tooOld.map((c) => c.command.do) },
      'the carrier never took these commands; they are given up',
    );
  const stale = pending.filter((c) => tooOld.includes(c) || (over && !ending.has(c.command.do)));
  const due = pending.filter((c) => !stale.includes(c));
  if (stale.length)
    await house.db.within(scope, (tx) =>
      commandsDone(tx, place, ns(stale), nowOf(house), 'given up'),
    );
  if (!due.length) return;
  // The carrier the call came by, or was placed by, alone knows its legs; a leg that went another way is known to that one.
  for (const [carrier, part] of byCarrier(due, house.ports.voice.name)) {
    try {
      await house.ports.carriers.voice(carrier).perform(part.map((c) => c.command));
    } catch (error) {
      house.log.warn(
        { err: error, ...place, carrier, commands: part.length },
        'the carrier did not take the commands; they will be tried again',
      );
      await house.db.within(scope, (tx) => commandsFailed(tx, place, ns(part), String(error)));
      continue;
    }
    await house.db.within(scope, (tx) => commandsDone(tx, place, ns(part), nowOf(house)));
  }
}
const ns = (commands: readonly PendingCommand[]) => commands.map((c) => c.n);
/** Each carrier's commands in the order they were wanted, the carrier of the first one first. */
function byCarrier(
  commands: readonly PendingCommand[],
  usual: string,
): Map<string, PendingCommand[]> {
  const parts = new Map<string, PendingCommand[]>();
  for (const command of commands) {
    const carrier = command.carrier ?? usual;
    parts.set(carrier, [...(parts.get(carrier) ?? []), command]);
  }
  return parts;
}
