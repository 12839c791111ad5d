import type { VoiceCarrier, VoiceCommand } from '../../../gateways/voice.ts';
import type { Services } from '../../../platform/context.ts';
import type { CallRef } from './call-ref.ts';
import {
  markCommandsDone,
  markCommandsFailed,
  pendingCommands,
  type PendingCommand,
} from './store-commands.ts';
import { readLive, takeExchange } from './store-live.ts';

type CommandServices = Pick<Services, 'contactDetails' | 'db' | 'gateways' | 'log'> & {
  now: Date | (() => Date);
};
const nowOf = (services: CommandServices) =>
  typeof services.now === 'function' ? services.now() : services.now;

/** A queue per call: commands of a later step never overtake those of an earlier one. */
const queues = new Map<string, Promise<void>>();
/**
 * A command is given up after this age, not after a number of tries: during a carrier outage the
 * circuit breaker skips tries, and a hangup must still reach the carrier afterwards, or the call
 * would stay up and be billed.
 */
const GIVE_UP_AFTER_MS = 30 * 60_000;
/** Commands that still apply once the call is over. */
const endingCommands = new Set(['hangup', 'cancelLeg', 'reject', 'stopRecording', 'unbridge']);

/**
 * Performs a call's pending commands in order. Never rejects: a command the carrier did not accept
 * stays pending for the sweep.
 */
export function performCommands(services: CommandServices, callRef: CallRef): Promise<void> {
  const key = `${callRef.companyId}-${callRef.callId}`;
  const run = (queues.get(key) ?? Promise.resolve())
    .then(() => performPending(services, callRef))
    .catch((error: unknown) =>
      services.log.error({ err: error, ...callRef }, 'could not perform the commands of a call'),
    );
  queues.set(key, run);
  void run.finally(() => {
    if (queues.get(key) === run) queues.delete(key);
  });
  return run;
}

/** Whether commands of this call are being performed in this process right now. */
export const isPerforming = (callRef: CallRef): boolean =>
  queues.has(`${callRef.companyId}-${callRef.callId}`);

async function performPending(services: CommandServices, callRef: CallRef): Promise<void> {
  const scope = { companyId: callRef.companyId };
  const { pending, over } = await services.db.transaction(scope, async (tx) => {
    const waiting = await pendingCommands(tx, callRef);
    const retried = waiting.some((c) => c.tries > 0);
    return {
      pending: waiting,
      over: retried && ((await readLive(tx, callRef.companyId, callRef.callId))?.ended ?? true),
    };
  });
  // After an outage a call that is over is only torn down: it must not start to ring.
  const now = nowOf(services).getTime();
  const tooOld = pending.filter((c) => now - c.created_at.getTime() > GIVE_UP_AFTER_MS);
  if (tooOld.length)
    services.log.error(
      { ...callRef, commands: tooOld.map((c) => c.command.do) },
      'commands given up: the carrier never accepted them',
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
  // A leg is known only to its own carrier: the call's, or the failover carrier.
  for (const [carrier, part] of groupByCarrier(due, services.gateways.voice.name)) {
    try {
      const shown = await hideCallers(services, callRef.companyId, part);
      const commands = await placeLines(services, callRef, part, shown);
      const voice = services.gateways.carriers.voice(carrier);
      await voice.perform(commands, await exchangeFor(services, callRef, voice, part));
    } catch (error) {
      reportNotAccepted(services, callRef, carrier, error);
      await services.db.transaction(scope, (tx) =>
        markCommandsFailed(tx, callRef, commandNumbers(part), String(error), nowOf(services)),
      );
      continue;
    }
    await services.db.transaction(scope, (tx) =>
      markCommandsDone(tx, callRef, commandNumbers(part), nowOf(services)),
    );
  }
}

/**
 * Which of our exchanges performs the commands: the call's, which is chosen now if it has none yet.
 * Null: these are another carrier's, or no exchange runs.
 */
async function exchangeFor(
  services: CommandServices,
  { companyId, callId }: CallRef,
  { exchanges }: VoiceCarrier,
  [command]: readonly PendingCommand[],
): Promise<string | null> {
  if (!exchanges) return null;
  const chosen = command?.exchange ?? (await exchanges.choose());
  if (chosen === null || command?.exchange) return chosen;
  return services.db.transaction({ companyId }, (tx) =>
    takeExchange(tx, companyId, callId, chosen),
  );
}

/**
 * The commands, of which a carrier's that join its call with ours say where: at the call's exchange,
 * which is chosen now if it has none yet. Where no exchange says that carriers reach it, that is left
 * to SIP_PUBLIC.
 */
async function placeLines(
  { db, gateways }: CommandServices,
  { companyId, callId }: CallRef,
  pending: readonly PendingCommand[],
  commands: readonly VoiceCommand[],
): Promise<VoiceCommand[]> {
  const joins = (command: VoiceCommand) => command.do === 'createLeg' && command.to.kind === 'line';
  const { exchanges } = gateways.carriers.exchange ?? {};
  if (!exchanges || !commands.some(joins)) return [...commands];
  const ofCall = pending[0]?.exchange ?? null;
  const best = await exchanges.forCarriers(ofCall);
  if (!best) return [...commands];
  const taken =
    ofCall ??
    (await db.transaction({ companyId }, (tx) =>
      takeExchange(tx, companyId, callId, best.exchange),
    ));
  const there = taken === best.exchange ? best : await exchanges.forCarriers(taken);
  return commands.map((command) =>
    command.do === 'createLeg' && command.to.kind === 'line'
      ? { ...command, to: { ...command.to, at: there?.at } }
      : command,
  );
}

/** By carrier: when it was last reported, and how often since then it accepted nothing. */
const reported = new Map<string, { at: number; since: number }>();
/** Logs that a carrier accepted nothing, at most once a minute for each carrier. */
function reportNotAccepted(
  services: CommandServices,
  callRef: CallRef,
  carrier: string,
  error: unknown,
): void {
  const now = Date.now();
  const last = reported.get(carrier);
  if (last && now - last.at < 60_000) {
    last.since += 1;
    return;
  }
  services.log.warn(
    { err: error, ...callRef, carrier, notReported: last?.since ?? 0 },
    'the carrier did not accept commands of a call; they will be retried',
  );
  reported.set(carrier, { at: now, since: 0 });
}

/** The commands; phones of people who may not see the caller's number don't get it either. */
const hideCallers = (
  { db, contactDetails }: CommandServices,
  companyId: number,
  commands: readonly PendingCommand[],
): Promise<VoiceCommand[]> =>
  Promise.all(
    commands.map(async ({ command }) => {
      if (command.do !== 'createLeg' || command.to.kind !== 'app') return command;
      const { callerId, callerName = callerId } = command;
      const shown = await contactDetails.forPerson(db, companyId, command.to.userId, {
        callerId,
        callerName,
      });
      return shown.callerId === callerId
        ? command
        : { ...command, callerId: 'anonymous', callerName: shown.callerName };
    }),
  );
const commandNumbers = (commands: readonly PendingCommand[]) => commands.map((c) => c.n);
/** The commands by carrier, in order; the carrier of the first command comes first. */
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
