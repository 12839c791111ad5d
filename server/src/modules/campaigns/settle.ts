import { systemCtx, type Ctx, type House, type Said, type TxCtx } from '../../platform/context.ts';
import type { SendResult } from '../../ports/messaging.ts';
import { optOut } from '../compliance/index.ts';
import type { Batch, Claim } from './claim-batch.ts';
import { awayGivesUpMs, awaySeconds, errorText, isPassing } from './rules.ts';
import { campaignById, changeCampaign } from './store.ts';
import { settleBatch } from './store-batches.ts';
import { moveLines, type Result } from './store-ledger.ts';
import { letWait } from './store-lines.ts';
import { fileSoon, pauseFor } from './tell.ts';

export interface Settler {
  settle(batch: Batch, claim: Claim, result: SendResult): void;
  idle(): Promise<void>;
}
interface Answer {
  batch: Batch;
  claim: Claim;
  result: SendResult;
}
interface Queue {
  batch: Batch;
  answers: Answer[];
  running: boolean;
  full: () => void;
}

const together = 500;
/** Answers gather for so long before they are written, unless there are many. */
const gatherMs = 20;
/** How often the inbox is asked for what is new of a campaign that goes on; its end and its pauses ask once more. */
const fileEveryMs = 1000;
const triesMs = [50, 200, 500, 1000, 2000, 4000, 8000];
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Answers of carriers are written together with those that came while the last ones were being committed. While the database is
 * away they are tried again; should that fail for good, their lines stay claimed and the carrier is asked about them.
 */
export function makeSettler(house: House, said: Said): Settler {
  const queues = new Map<string, Queue>();
  const running = new Set<Promise<void>>();
  const filedAt = new Map<string, number>();
  const filesNow = (key: string) => {
    const now = performance.now();
    if (now - (filedAt.get(key) ?? -Infinity) < fileEveryMs) return false;
    filedAt.set(key, now);
    return true;
  };
  const work = async (key: string, queue: Queue) => {
    while (queue.answers.length) {
      if (queue.answers.length < together)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, gatherMs);
          queue.full = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      const some = queue.answers.splice(0, together);
      const files = filesNow(key);
      const ctx = systemCtx(house, queue.batch.companyId, said, 'campaign');
      for (let n = 0; ; n++) {
        try {
          await ctx.transaction((t) => writeAnswers(t, queue.batch, some, files));
          await endClaims(ctx, some);
          break;
        } catch (error) {
          if (n >= triesMs.length) {
            house.log.warn(
              { err: error, campaignId: queue.batch.campaignId },
              'answers of the carrier could not be written',
            );
            break;
          }
          await pause(triesMs[n]!);
        }
      }
    }
    queues.delete(key);
    if (filedAt.size > 1000) filedAt.clear();
  };
  return {
    settle: (batch, claim, result) => {
      const key = `${batch.companyId}:${batch.campaignId}`;
      const queue = queues.get(key) ?? { batch, answers: [], running: false, full: () => {} };
      queues.set(key, queue);
      queue.answers.push({ batch, claim, result });
      if (queue.running) {
        if (queue.answers.length >= together) queue.full();
        return;
      }
      queue.running = true;
      const done: Promise<void> = work(key, queue).finally(() => running.delete(done));
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
export async function endClaims(
  ctx: Ctx,
  ended: readonly { batch: Batch; claim: Claim }[],
): Promise<void> {
  for (const { batch, claim } of ended) batch.open.delete(claim.id);
  for (const batch of new Set(ended.map((e) => e.batch))) {
    if (!batch.open.size)
      await ctx.transaction((t) => settleBatch(t.tx, t.companyId, batch.id)).catch(() => {});
  }
}

async function writeAnswers(
  t: TxCtx,
  batch: Batch,
  answers: readonly Answer[],
  files: boolean,
): Promise<void> {
  for (const { claim, result } of answers)
    if (result.state === 'refused' && result.code === 'opted_out')
      await optOut(t, {
        number: claim.text.to,
        source: 'carrier_error',
        numberId: batch.numberId,
        proof: result.reason,
      });
  const isAway = (r: SendResult) => r.state === 'refused' && !r.permanent;
  await moveLines(
    t.tx,
    t.companyId,
    answers
      .filter((a) => !isAway(a.result))
      .map(({ batch: { id: batchId }, claim: { id, credits }, result }): Result => {
        if (result.state === 'accepted')
          return {
            id,
            state: 'handed',
            providerId: result.providerId,
            code: null,
            text: null,
            passing: false,
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
            passing: isPassing(result.code),
            batchId,
            credits,
          };
        return {
          id,
          state: 'unknown',
          providerId: null,
          code: 'unknown',
          text: errorText('unknown', null),
          passing: false,
          batchId,
          credits,
        };
      }),
    t.now,
  );
  const away = answers.filter((a) => isAway(a.result));
  // The carrier certainly has nothing of these.
  for (const id of new Set(away.map((a) => a.batch.id)))
    await letWait(
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
    away.length === answers.length,
  );
  if (answers.length > away.length && (files || c?.state !== 'sending'))
    await fileSoon(t, batch.campaignId);
  if (!c || c.state !== 'sending') return;
  if (away.length < answers.length) {
    if (c.away_since)
      await changeCampaign(t.tx, t.companyId, c.id, { away_since: null, away_times: 0 });
    return;
  }
  // Nothing but refusals of a carrier that is away: it is left alone for a while, longer each time.
  const since = c.away_since ?? t.now;
  if (t.now.getTime() - since.getTime() > awayGivesUpMs) {
    await pauseFor(t, c, 'carrier');
    return;
  }
  await changeCampaign(t.tx, t.companyId, c.id, {
    away_since: since,
    away_times: c.away_times + 1,
    wake_at: new Date(t.now.getTime() + awaySeconds(c.away_times) * 1000),
  });
}
