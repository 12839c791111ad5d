import { randomUUID } from 'node:crypto';
import {
  inBackground,
  systemCtx,
  type Services,
  type OutboxNotifier,
} from '../../platform/context.ts';
import type { Leases } from '../../platform/lease.ts';
import { claimRecipients } from './claim-recipients.ts';
import { createCampaignTurns, idleMs, type CampaignTurn } from './campaign-turns.ts';
import { submitBatch, createRequestSlots } from './submit-batch.ts';
import { checkUnknown, recoverOrphans } from './recover-orphans.ts';
import { createResultWriter } from './result-writer.ts';

interface DispatchOptions {
  /** Campaigns worked on at the same time. */
  lanes?: number;
  /** Recipients claimed at once. */
  claimLimit?: number;
  /** Requests to carriers at the same time. */
  slots?: number;
  /** No rate but the carrier's own: for measuring. */
  unthrottled?: boolean;
  /** False for tests that recover orphans themselves. */
  recover?: boolean;
}
const defaults = { lanes: 3, claimLimit: 500, slots: 96 } as const;
const recoverEveryMs = 1000;
/** How long a stopping dispatcher waits for responses; whatever comes later is looked up. */
const stopTimeoutMs = 12_000;

/**
 * Starts the worker's dispatcher: campaigns that are due take turns, company by company, so that a
 * large one delays no one. It isn't a job, so that a worker that starts continues at once with
 * whatever any worker left behind. `stop` resolves when its submissions are stored.
 */
export function startDispatcher(
  foreground: Services,
  notifier: OutboxNotifier,
  leases: Leases,
  options: DispatchOptions = {},
): { stop(): Promise<void> } {
  const services = inBackground(foreground);
  const dispatcherId = randomUUID();
  // Without its lease this worker submits nothing: others look into its claims by then.
  let hasLease = false;
  const isAlive = () => hasLease && leases.isHeld();
  const turns = createCampaignTurns(services);
  const [laneSleep, recoverSleep] = [createSleep(), createSleep()];
  const sender = createBatchSender(services, notifier, options, {
    dispatcherId,
    isAlive,
    onClaimed: options.unthrottled ? laneSleep.wake : () => {},
  });
  let stopped = false;
  const runLane = async (): Promise<void> => {
    while (!stopped) {
      const turn = isAlive() ? await turns.next().catch(() => null) : null;
      if (!turn) {
        await laneSleep.sleep(turns.waitMs());
        continue;
      }
      try {
        await sender.send(turn);
      } catch (error) {
        if (!stopped)
          services.log.warn({ err: error, campaignId: turn.id }, 'a campaign missed its dispatch');
        await laneSleep.sleep(idleMs);
      } finally {
        turn.end();
      }
    }
  };
  const runRecovery = async (): Promise<void> => {
    await leases.acquire(dispatcherId);
    hasLease = true;
    while (!stopped && options.recover !== false) {
      if (isAlive()) await recover(services, notifier, () => stopped);
      await recoverSleep.sleep(recoverEveryMs);
    }
  };
  const recovery = runRecovery();
  const lanes = Array.from({ length: options.lanes ?? defaults.lanes }, runLane);
  return {
    stop: async () => {
      stopped = true;
      laneSleep.wake();
      recoverSleep.wake();
      await Promise.all(lanes);
      await sender.settled();
      await recovery;
      await leases.release(dispatcherId);
    },
  };
}

interface SenderContext {
  dispatcherId: string;
  isAlive: () => boolean;
  onClaimed: () => void;
}
/** Claims and submits one batch of a campaign at a time, in several lanes. */
function createBatchSender(
  services: Services,
  notifier: OutboxNotifier,
  options: DispatchOptions,
  { dispatcherId, isAlive, onClaimed }: SenderContext,
) {
  const settler = createResultWriter(services, notifier);
  const slots = createRequestSlots(options.slots ?? defaults.slots);
  const limit = options.claimLimit ?? defaults.claimLimit;
  const { unthrottled = false } = options;
  const inFlight = new Set<Promise<unknown>>();
  return {
    /** Resolves when the batch is submitted; its responses are stored as they arrive. */
    send: async (turn: CampaignTurn): Promise<void> => {
      const ctx = systemCtx(services, turn.companyId, notifier, 'campaign');
      const batch = await ctx
        .transaction((t) => claimRecipients(t, turn.id, { dispatcherId, limit, unthrottled }))
        .finally(turn.claimed);
      if (!batch) return;
      onClaimed();
      const deps = { settler, slots, mayGo: isAlive };
      const { answered } = await submitBatch(services, notifier, batch, deps);
      const responses = answered.finally(() => inFlight.delete(responses));
      inFlight.add(responses);
    },
    /** Resolves when all responses are stored, or after a while without them. */
    settled: async (): Promise<void> => {
      await Promise.race([
        Promise.all(inFlight).then(() => settler.idle()),
        new Promise((resolve) => setTimeout(resolve, stopTimeoutMs).unref()),
      ]);
    },
  };
}

async function recover(
  services: Services,
  notifier: OutboxNotifier,
  isStopped: () => boolean,
): Promise<void> {
  try {
    await recoverOrphans(services, notifier);
    await checkUnknown(services, notifier);
  } catch (error) {
    if (!isStopped()) services.log.warn({ err: error }, 'orphaned claims could not be checked');
  }
}

/** Sleeping that can be ended for all sleepers at once. */
function createSleep() {
  const sleepers = new Set<() => void>();
  return {
    sleep: (ms: number) =>
      new Promise<void>((resolve) => {
        const wakeUp = () => {
          clearTimeout(timer);
          sleepers.delete(wakeUp);
          resolve();
        };
        const timer = setTimeout(wakeUp, ms);
        sleepers.add(wakeUp);
      }),
    wake: () => {
      for (const wakeUp of [...sleepers]) wakeUp();
    },
  };
}
