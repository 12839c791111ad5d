import {
  systemCtx,
  type Ctx,
  type Services,
  type OutboxNotifier,
  type TxCtx,
} from '../../platform/context.ts';
import type { SendResult } from '../../gateways/messaging.ts';
import { optOut } from '../compliance/index.ts';
import type { ClaimedBatch, RecipientClaim } from './claim-recipients.ts';
import { carrierGiveUpMs, carrierRetrySeconds, errorText, isTransient } from './rules.ts';
import { campaignById, updateCampaignRow } from './store.ts';
import { markBatchSettled } from './store-batches.ts';
import { advanceRecipients, type RecipientResult } from './store-recipients.ts';
import { requeueClaimed } from './store-requeue.ts';
import { scheduleInboxSync, pauseFor } from './campaign-events.ts';

export interface ResultWriter {
  write(batch: ClaimedBatch, claim: RecipientClaim, result: SendResult): void;
  idle(): Promise<void>;
}
interface SubmitResult {
  batch: ClaimedBatch;
  claim: RecipientClaim;
  result: SendResult;
}
interface ResultQueue {
  batch: ClaimedBatch;
  results: SubmitResult[];
  running: boolean;
  full: () => void;
}

const maxBatch = 500;
/** Answers gather for so long before they are written, unless there are many. */
const gatherMs = 20;
/** How often the inbox is asked for what is new of a campaign that goes on; its end and its pauses ask once more. */
const inboxSyncEveryMs = 1000;
const retryDelaysMs = [50, 200, 500, 1000, 2000, 4000, 8000];
const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Answers of carriers are written together with those that came while the last ones were being committed. While the database is
 * away they are tried again; should that fail for good, their lines stay claimed and the carrier is asked about them.
 */
export function createResultWriter(services: Services, notifier: OutboxNotifier): ResultWriter {
  const queues = new Map<string, ResultQueue>();
  const running = new Set<Promise<void>>();
  const inboxSyncedAt = new Map<string, number>();
  const isInboxSyncDue = (key: string) => {
    const now = performance.now();
    if (now - (inboxSyncedAt.get(key) ?? -Infinity) < inboxSyncEveryMs) return false;
    inboxSyncedAt.set(key, now);
    return true;
  };
  const drainQueue = async (key: string, queue: ResultQueue) => {
    while (queue.results.length) {
      if (queue.results.length < maxBatch)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, gatherMs);
          queue.full = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      const pending = queue.results.splice(0, maxBatch);
      const files = isInboxSyncDue(key);
      const ctx = systemCtx(services, queue.batch.companyId, notifier, 'campaign');
      for (let n = 0; ; n++) {
        try {
          await ctx.transaction((t) => writeResults(t, queue.batch, pending, files));
          await finishClaims(ctx, pending);
          break;
        } catch (error) {
          if (n >= retryDelaysMs.length) {
            services.log.warn(
              { err: error, campaignId: queue.batch.campaignId },
              'the carrier’s results could not be stored',
            );
            break;
          }
          await delay(retryDelaysMs[n]!);
        }
      }
    }
    queues.delete(key);
    if (inboxSyncedAt.size > 1000) inboxSyncedAt.clear();
  };
  return {
    write: (batch, claim, result) => {
      const key = `${batch.companyId}:${batch.campaignId}`;
      const queue = queues.get(key) ?? { batch, results: [], running: false, full: () => {} };
      queues.set(key, queue);
      queue.results.push({ batch, claim, result });
      if (queue.running) {
        if (queue.results.length >= maxBatch) queue.full();
        return;
      }
      queue.running = true;
      const done: Promise<void> = drainQueue(key, queue).finally(() => running.delete(done));
      running.add(done);
    },
    idle: async () => {
      while (running.size) await Promise.all(running);
    },
  };
}

/**
 * These have come to an end, and it is written. With the last one its batch is over; should that not be written, whoever looks
 * after crashes finds nothing of it on its way and ends it.
 */
export async function finishClaims(
  ctx: Ctx,
  ended: readonly { batch: ClaimedBatch; claim: RecipientClaim }[],
): Promise<void> {
  for (const { batch, claim } of ended) batch.unfinished.delete(claim.id);
  for (const batch of new Set(ended.map((e) => e.batch))) {
    if (!batch.unfinished.size)
      await ctx.transaction((t) => markBatchSettled(t.tx, t.companyId, batch.id)).catch(() => {});
  }
}

async function writeResults(
  t: TxCtx,
  batch: ClaimedBatch,
  results: readonly SubmitResult[],
  syncInbox: boolean,
): Promise<void> {
  for (const { claim, result } of results)
    if (result.state === 'refused' && result.code === 'opted_out')
      await optOut(t, {
        number: claim.text.to,
        source: 'carrier_error',
        numberId: batch.numberId,
        proof: result.reason,
      });
  const isAway = (r: SendResult) => r.state === 'refused' && !r.permanent;
  await advanceRecipients(
    t.tx,
    t.companyId,
    results
      .filter((a) => !isAway(a.result))
      .map(({ batch: { id: batchId }, claim: { id, credits }, result }): RecipientResult => {
        if (result.state === 'accepted')
          return {
            id,
            state: 'handed',
            providerId: result.providerId,
            code: null,
            text: null,
            transient: false,
            batchId,
            credits,
          };
        if (result.state === 'refused')
          return {
            id,
            state: 'failed',
            providerId: null,
            code: result.code,
            text: errorText(result.code, result.reason),
            transient: isTransient(result.code),
            batchId,
            credits,
          };
        return {
          id,
          state: 'unknown',
          providerId: null,
          code: 'unknown',
          text: errorText('unknown', null),
          transient: false,
          batchId,
          credits,
        };
      }),
    t.now,
  );
  const away = results.filter((a) => isAway(a.result));
  // The carrier certainly has nothing of these.
  for (const id of new Set(away.map((a) => a.batch.id)))
    await requeueClaimed(
      t.tx,
      t.companyId,
      batch.campaignId,
      id,
      away.filter((a) => a.batch.id === id).map((a) => a.claim.id),
    );
  const c = await campaignById(
    t.tx,
    t.companyId,
    batch.campaignId,
    null,
    away.length === results.length,
  );
  if (results.length > away.length && (syncInbox || c?.state !== 'sending'))
    await scheduleInboxSync(t, batch.campaignId);
  if (!c || c.state !== 'sending') return;
  if (away.length < results.length) {
    if (c.carrier_down_since)
      await updateCampaignRow(t.tx, t.companyId, c.id, {
        carrier_down_since: null,
        carrier_down_retries: 0,
      });
    return;
  }
  // Nothing but refusals of a carrier that is away: it is left alone for a while, longer each time.
  const since = c.carrier_down_since ?? t.now;
  if (t.now.getTime() - since.getTime() > carrierGiveUpMs) {
    await pauseFor(t, c, 'carrier');
    return;
  }
  await updateCampaignRow(t.tx, t.companyId, c.id, {
    carrier_down_since: since,
    carrier_down_retries: c.carrier_down_retries + 1,
    wake_at: new Date(t.now.getTime() + carrierRetrySeconds(c.carrier_down_retries) * 1000),
  });
}
