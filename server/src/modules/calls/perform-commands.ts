import type { Services } from '../../platform/context.ts';
import type { CallRef } from './call-ref.ts';
import {
  readLive,
  markCommandsDone,
  markCommandsFailed,
  pendingCommands,
  type PendingCommand,
} from './store-live.ts';

type CommandServices = Pick<Services, 'db' | 'gateways' | 'log'> & { now: Date | (() => Date) };
const nowOf = (services: CommandServices) =>
  typeof services.now === 'function' ? services.now() : services.now;

/** One line per call: what a later step wants is never performed before what an earlier one wanted. */
const queues = new Map<string, Promise<void>>();
/**
 * A command older than this is given up. By age and not by tries: a carrier that is away is left alone (its breaker), and
 * what hangs up a call that is still up there must be said when it is back, or the call would go on and cost for ever.
 */
const GIVE_UP_AFTER_MS = 30 * 60_000;
/** What still makes sense once the call is over. */
const endingCommands = new Set(['hangup', 'cancelLeg', 'reject', 'stopRecording', 'unbridge']);

/** Perform what a call wants from the carrier, in order, right now. What the carrier did not take stays pending for the sweep. */
export function performCommands(services: CommandServices, callRef: CallRef): Promise<void> {
  const key = `${callRef.companyId}-${callRef.callId}`;
  const run = (queues.get(key) ?? Promise.resolve())
    .then(() => performPending(services, callRef))
    .catch((error: unknown) =>
      services.log.error({ err: error, ...callRef }, 'a call’s commands failed'),
    );
  queues.set(key, run);
  void run.finally(() => {
    if (queues.get(key) === run) queues.delete(key);
  });
  return run;
}

/** Is a call's line busy right now: somebody else performs for it, or waits for a slow carrier? */
export const isPerforming = (callRef: CallRef): boolean =>
  queues.has(`${callRef.companyId}-${callRef.callId}`);

async function performPending(services: CommandServices, callRef: CallRef): Promise<void> {
  const scope = { companyId: callRef.companyId };
  const { pending, over } = await services.db.transaction(scope, async (tx) => {
    const waiting = await pendingCommands(tx, callRef);
    const retried = waiting.some((c) => c.tries > 0);
    return {
      pending: waiting,
      over: retried && ((await readLive(tx, callRef.companyId, callRef.callId))?.over ?? true),
    };
  });
  // A carrier that comes back after the call is over is only told to let go: it must not begin to ring for the dead.
  const now = nowOf(services).getTime();
  const tooOld = pending.filter((c) => now - c.created_at.getTime() > GIVE_UP_AFTER_MS);
  if (tooOld.length)
    services.log.error(
      { ...callRef, commands: tooOld.map((c) => c.command.do) },
      'the carrier never accepted these commands; giving up',
    );
  const stale = pending.filter(
    (c) => tooOld.includes(c) || (over && !endingCommands.has(c.command.do)),
  );
  const due = pending.filter((c) => !stale.includes(c));
  if (stale.length)
    await services.db.transaction(scope, (tx) =>
      markCommandsDone(tx, callRef, commandNumbers(stale), nowOf(services), 'gave up'),
    );
  if (!due.length) return;
  // The carrier the call came by, or was placed by, alone knows its legs; a leg that went another way is known to that one.
  for (const [carrier, part] of groupByCarrier(due, services.gateways.voice.name)) {
    try {
      await services.gateways.carriers.voice(carrier).perform(part.map((c) => c.command));
    } catch (error) {
      services.log.warn(
        { err: error, ...callRef, carrier, commands: part.length },
        'the carrier did not accept the commands; retrying',
      );
      await services.db.transaction(scope, (tx) =>
        markCommandsFailed(tx, callRef, commandNumbers(part), String(error)),
      );
      continue;
    }
    await services.db.transaction(scope, (tx) =>
      markCommandsDone(tx, callRef, commandNumbers(part), nowOf(services)),
    );
  }
}
const commandNumbers = (commands: readonly PendingCommand[]) => commands.map((c) => c.n);
/** Each carrier's commands in the order they were wanted, the carrier of the first one first. */
function groupByCarrier(
  commands: readonly PendingCommand[],
  defaultCarrier: string,
): Map<string, PendingCommand[]> {
  const parts = new Map<string, PendingCommand[]>();
  for (const command of commands) {
    const carrier = command.carrier ?? defaultCarrier;
    parts.set(carrier, [...(parts.get(carrier) ?? []), command]);
  }
  return parts;
}
