import { randomUUID } from 'node:crypto';
import {
  inBackground,
  systemCtx,
  type Services,
  type OutboxNotifier,
} from '../../platform/context.ts';
import type { Leases } from '../../platform/lease.ts';
import { claimRecipients } from './claim-recipients.ts';
import { submitBatch, createRequestSlots } from './submit-batch.ts';
import { checkUnknown, recoverOrphans } from './recover-orphans.ts';
import { createResultWriter } from './result-writer.ts';
import { dueCampaigns } from './store.ts';

export interface DispatchOptions {
  lanes?: number;
  claimLimit?: number;
  slots?: number;
  unthrottled?: boolean;
  /** For tests that look after crashes by themselves. */ recover?: boolean;
}
const idleMs = 300;
const recoverEveryMs = 1000;

/**
 * The worker's dispatcher: campaigns whose time has come take turns, company by company, so that a large one holds nobody up. It is
 * no job of the queue: a worker that starts goes on at once with whatever any worker left behind.
 */
export function startDispatcher(
  foreground: Services,
  notifier: OutboxNotifier,
  leases: Leases,
  options: DispatchOptions = {},
): { stop(): Promise<void> } {
  const services = inBackground(foreground);
  const dispatcherId = randomUUID();
  const resultWriter = createResultWriter(services, notifier);
  const slots = createRequestSlots(options.slots ?? 96);
  let stopped = false;
  const sleepers = new Set<() => void>();
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const wakeUp = () => {
        clearTimeout(timer);
        sleepers.delete(wakeUp);
        resolve();
      };
      const timer = setTimeout(wakeUp, ms);
      sleepers.add(wakeUp);
    });
  const wake = () => {
    for (const up of [...sleepers]) up();
  };
  // Without its lease this worker submits nothing: others look into its claims by then.
  let hasLease = false;
  const isAlive = () => hasLease && leases.isHeld();

  let due: { companyId: number; id: number }[] = [];
  let loading: Promise<void> | null = null;
  /** When the next one's time comes, as far as was seen. */
  let nextAt = Infinity;
  const lanesByCampaign = new Map<number, number>();
  const claiming = new Set<number>();
  const inFlight = new Set<Promise<unknown>>();
  const loadDue = async () => {
    const now = services.now();
    nextAt = Infinity;
    const soon = await dueCampaigns(services.db.unscoped, new Date(now.getTime() + idleMs), 200);
    due = roundRobinByCompany(soon.filter((c) => c.at <= now));
    nextAt = soon.find((c) => c.at > now)?.at.getTime() ?? Infinity;
  };
  const next = async () => {
    if (!due.length) {
      loading ??= loadDue().finally(() => {
        loading = null;
      });
      await loading;
    }
    // Two lanes a campaign: one claims while the other hands over. Two that claim would only wait for each other.
    const at = due.findIndex((c) => !claiming.has(c.id) && (lanesByCampaign.get(c.id) ?? 0) < 2);
    return at < 0 ? null : due.splice(at, 1)[0]!;
  };
  const lane = async () => {
    while (!stopped) {
      const c = isAlive() ? await next().catch(() => null) : null;
      if (!c) {
        due = [];
        await sleep(Math.max(5, Math.min(idleMs, nextAt - services.now().getTime())));
        continue;
      }
      lanesByCampaign.set(c.id, (lanesByCampaign.get(c.id) ?? 0) + 1);
      claiming.add(c.id);
      try {
        const batch = await systemCtx(services, c.companyId, notifier, 'campaign')
          .transaction((t) =>
            claimRecipients(t, c.id, {
              dispatcherId,
              limit: options.claimLimit ?? 500,
              ...(options.unthrottled ? { unthrottled: true } : {}),
            }),
          )
          .finally(() => claiming.delete(c.id));
        if (batch) {
          if (options.unthrottled) wake();
          const { answered } = await submitBatch(services, notifier, batch, {
            settler: resultWriter,
            slots,
            mayGo: isAlive,
          });
          const flight = answered.finally(() => inFlight.delete(flight));
          inFlight.add(flight);
        }
      } catch (error) {
        if (!stopped)
          services.log.warn({ err: error, campaignId: c.id }, 'a campaign missed its dispatch');
        await sleep(idleMs);
      } finally {
        const left = lanesByCampaign.get(c.id)! - 1;
        if (left) lanesByCampaign.set(c.id, left);
        else lanesByCampaign.delete(c.id);
      }
    }
  };
  const recovering = (async () => {
    await leases.acquire(dispatcherId);
    hasLease = true;
    while (!stopped && options.recover !== false) {
      if (isAlive())
        await recoverOrphans(services, notifier)
          .then(() => checkUnknown(services, notifier))
          .catch((error: unknown) => {
            if (!stopped) services.log.warn({ err: error }, 'orphaned claims could not be checked');
          });
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, recoverEveryMs);
        endRecover = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();
  let endRecover: () => void = () => {};
  const lanes = Array.from({ length: options.lanes ?? 3 }, lane);
  return {
    stop: async () => {
      stopped = true;
      wake();
      endRecover();
      await Promise.all(lanes);
      await Promise.race([
        Promise.all(inFlight).then(() => resultWriter.idle()),
        new Promise((resolve) => setTimeout(resolve, 12_000).unref()),
      ]);
      await recovering;
      await leases.release(dispatcherId);
    },
  };
}

/** One campaign of each company, then the second of each: nobody stands behind a company with many. */
export function roundRobinByCompany(
  due: readonly { companyId: number; id: number }[],
): { companyId: number; id: number }[] {
  const nth = new Map<number, number>();
  return due
    .map((c, at) => {
      const n = nth.get(c.companyId) ?? 0;
      nth.set(c.companyId, n + 1);
      return { c, n, at };
    })
    .sort((a, b) => a.n - b.n || a.at - b.at)
    .map(({ c }) => c);
}
