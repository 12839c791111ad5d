import {
  systemCtx,
  type Ctx,
  type Services,
  type OutboxNotifier,
  type TxCtx,
} from '../../platform/context.ts';
import type { SendResult } from '../../gateways/messaging.ts';
import {
  createBatchQueue,
  deliveryErrorText,
  isRetryable,
  recordCarrierOptOuts,
} from '../messaging/index.ts';
import type { ClaimedBatch } from './claim-recipients.ts';
import type { RecipientClaim } from './claim-texts.ts';
import { carrierGiveUpMs, carrierRetrySeconds, isTransient } from './rules.ts';
import { campaignById, updateCampaignRow, type CampaignRow } from './store.ts';
import { markBatchSettled } from './store-batches.ts';
import { advanceRecipients, type RecipientResult } from './store-recipients.ts';
import { requeueClaimed } from './store-requeue.ts';
import { scheduleInboxSync, pauseFor } from './campaign-events.ts';

export interface ResultWriter {
  /** Stores a result soon, together with others of its campaign. */
  write(batch: ClaimedBatch, claim: RecipientClaim, result: SendResult): void;
  /** Resolves when everything is stored. */
  idle(): Promise<void>;
}
interface SubmitResult {
  batch: ClaimedBatch;
  claim: RecipientClaim;
  result: SendResult;
}

/** Results gather this long before they are stored, unless there are `maxBatch`. */
const gatherMs = 20;
const maxBatch = 500;
/**
 * How often sent texts are added to the inbox while a campaign goes on; its end and pauses add the
 * rest.
 */
const inboxSyncEveryMs = 1000;
/** Waits while the database is unreachable. */
const retryDelaysMs = [50, 200, 500, 1000, 2000, 4000, 8000];
const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Stores the carrier's results together with those that arrived while the last ones were being
 * committed. While the database is unreachable it retries; if that fails for good, the recipients
 * stay claimed and are looked up at the carrier.
 */
export function createResultWriter(services: Services, notifier: OutboxNotifier): ResultWriter {
  const queue = createBatchQueue<SubmitResult, void>({ maxBatch, gatherMs });
  const isInboxSyncDue = createInboxSyncClock();
  const store = async (results: readonly SubmitResult[], batch: ClaimedBatch): Promise<void> => {
    const syncInbox = isInboxSyncDue(`${batch.companyId}:${batch.campaignId}`);
    const ctx = systemCtx(services, batch.companyId, notifier, 'campaign');
    for (let attempt = 0; ; attempt++) {
      try {
        await ctx.transaction((t) => writeResults(t, batch, results, syncInbox));
        await finishClaims(ctx, results);
        return;
      } catch (error) {
        const waitMs = retryDelaysMs[attempt];
        if (waitMs === undefined) {
          const campaign = { err: error, campaignId: batch.campaignId };
          services.log.warn(campaign, 'the carrier’s results could not be stored');
          return;
        }
        await delay(waitMs);
      }
    }
  };
  return {
    write: (batch, claim, result) => {
      const key = `${batch.companyId}:${batch.campaignId}`;
      void queue.add(services, key, { batch, claim, result }, (pending) =>
        store(
          pending.map((each) => each.value),
          batch,
        ),
      );
    },
    idle: queue.idle,
  };
}

/** True at most once per `inboxSyncEveryMs` and campaign. */
function createInboxSyncClock(): (campaign: string) => boolean {
  const syncedAt = new Map<string, number>();
  return (campaign) => {
    const now = performance.now();
    if (now - (syncedAt.get(campaign) ?? -Infinity) < inboxSyncEveryMs) return false;
    if (syncedAt.size > 1000) syncedAt.clear();
    syncedAt.set(campaign, now);
    return true;
  };
}

/**
 * These claims ended, and that is committed. With its last one a batch is settled; if that can't be
 * stored, the orphan check finds nothing of it in flight and settles it.
 */
export async function finishClaims(
  ctx: Ctx,
  ended: readonly { batch: ClaimedBatch; claim: RecipientClaim }[],
): Promise<void> {
  for (const { batch, claim } of ended) batch.unfinished.delete(claim.id);
  for (const batch of new Set(ended.map((each) => each.batch))) {
    if (!batch.unfinished.size)
      await ctx.transaction((t) => markBatchSettled(t.tx, t.companyId, batch.id)).catch(() => {});
  }
}

async function writeResults(
  t: TxCtx,
  { campaignId }: ClaimedBatch,
  results: readonly SubmitResult[],
  syncInbox: boolean,
): Promise<void> {
  await recordOptOuts(t, results);
  const ended = results.filter((each) => !isRetryable(each.result));
  await advanceRecipients(t.tx, t.companyId, ended.map(recipientResultOf), t.now);
  // The carrier certainly has nothing of the others.
  const unsent = results.filter((each) => isRetryable(each.result));
  for (const id of new Set(unsent.map((each) => each.batch.id))) {
    const ids = unsent.filter((each) => each.batch.id === id).map((each) => each.claim.id);
    await requeueClaimed(t.tx, t.companyId, campaignId, id, ids);
  }
  const c = await campaignById(t.tx, t.companyId, campaignId, null, !ended.length);
  if (ended.length && (syncInbox || c?.state !== 'sending')) await scheduleInboxSync(t, campaignId);
  if (c?.state !== 'sending') return;
  if (!ended.length) await waitForCarrier(t, c);
  else if (c.carrier_down_since)
    await updateCampaignRow(t.tx, t.companyId, c.id, {
      carrier_down_since: null,
      carrier_down_retries: 0,
    });
}

const recordOptOuts = (t: TxCtx, results: readonly SubmitResult[]): Promise<void> =>
  recordCarrierOptOuts(
    t,
    results.flatMap(({ batch, claim, result }) =>
      result.state === 'refused' && result.code === 'opted_out'
        ? { number: claim.text.to, numberId: batch.numberId, reason: result.reason }
        : [],
    ),
  );

/** A result as it is stored with its recipient. */
function recipientResultOf({ batch, claim, result }: SubmitResult): RecipientResult {
  const { id, credits } = claim;
  const base = { id, credits, batchId: batch.id, providerId: null, transient: false };
  switch (result.state) {
    case 'accepted':
      return { ...base, state: 'handed', providerId: result.providerId, code: null, text: null };
    case 'refused': {
      const { code, reason } = result;
      const text = deliveryErrorText(code, reason);
      return { ...base, state: 'failed', code, text, transient: isTransient(code) };
    }
    case 'unknown':
      return { ...base, ...unknownResult };
  }
}
/** The state and sentence of a recipient whose text may or may not have been sent. */
export const unknownResult = {
  state: 'unknown',
  code: 'unknown',
  text: deliveryErrorText('unknown', null),
};

/** The carrier takes nothing: the campaign waits, longer each time, and pauses after an hour. */
async function waitForCarrier(t: TxCtx, c: CampaignRow): Promise<void> {
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
