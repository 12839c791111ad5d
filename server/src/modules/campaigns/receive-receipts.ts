import { campaignInboxSynced } from '#contract/campaigns/events';
import {
  inBackground,
  systemCtx,
  type Services,
  type OutboxNotifier,
  type TxCtx,
} from '../../platform/context.ts';
import type { DeliveryReport } from '../../gateways/messaging.ts';
import { optOut } from '../compliance/index.ts';
import {
  updateCampaignMessages,
  receiveReceipts as receiveOthers,
} from '../conversations/index.ts';
import { deliveryStateChangeOf } from './sync-inbox.ts';
import { errorText, idempotencyKeyOf, parseIdempotencyKey } from './rules.ts';
import { campaignsByIds } from './store.ts';
import { reopenInboxSync, lastClaims } from './store-batches.ts';
import {
  recipientsByIds,
  advanceRecipients,
  type ReportedRecipient,
  type RecipientResult,
} from './store-recipients.ts';

interface QueuedReceipt {
  id: number;
  report: DeliveryReport;
  resolve: () => void;
  reject: (why: unknown) => void;
}
const maxBatch = 500;
/** Receipts gather for so long: each transaction costs the same, whether it is of one text or of many, and people wait for the same processors. */
const gatherMs = 40;
const queues = new WeakMap<Services, Map<string, { waiting: QueuedReceipt[]; running: boolean }>>();

/** What carriers report: of campaigns' texts, which their keys name, here, many in one transaction, acknowledged after its commit; of all others in conversations. */
export async function receiveReceipts(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  reports: readonly DeliveryReport[],
): Promise<void> {
  const conversationReports = reports.filter((r) => !parseIdempotencyKey(r.key));
  await Promise.all([
    ...(conversationReports.length
      ? [receiveOthers(services, notifier, carrier, conversationReports)]
      : []),
    ...reports.flatMap((report) => {
      const line = parseIdempotencyKey(report.key);
      return line
        ? [enqueueReceipt(services, notifier, carrier, line.companyId, line.id, report)]
        : [];
    }),
  ]);
}

function enqueueReceipt(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  companyId: number,
  id: number,
  report: DeliveryReport,
): Promise<void> {
  const byCompany =
    queues.get(services) ?? new Map<string, { waiting: QueuedReceipt[]; running: boolean }>();
  queues.set(services, byCompany);
  const key = `${carrier}:${companyId}`;
  const queue = byCompany.get(key) ?? { waiting: [], running: false };
  byCompany.set(key, queue);
  const promise = new Promise<void>((done, failed) =>
    queue.waiting.push({ id, report, resolve: done, reject: failed }),
  );
  if (!queue.running) {
    queue.running = true;
    void (async () => {
      while (queue.waiting.length) {
        if (queue.waiting.length < maxBatch)
          await new Promise((resolve) => setTimeout(resolve, gatherMs));
        await commit(services, notifier, carrier, companyId, queue.waiting.splice(0, maxBatch));
      }
      byCompany.delete(key);
    })();
  }
  return promise;
}

async function commit(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  companyId: number,
  batch: QueuedReceipt[],
): Promise<void> {
  try {
    await systemCtx(inBackground(services), companyId, notifier, 'carrier-receipt').transaction(
      (t) => storeReceipts(t, carrier, batch),
    );
    for (const w of batch) w.resolve();
  } catch (error) {
    if (batch.length === 1) {
      batch[0]!.reject(error);
      return;
    }
    // One bad receipt costs nobody else theirs.
    for (const one of batch) await commit(services, notifier, carrier, companyId, [one]);
  }
}

const stateRank = { sent: 1, delivered: 2, undelivered: 2, failed: 2 } as const;
async function storeReceipts(
  t: TxCtx,
  carrier: string,
  batch: readonly { id: number; report: DeliveryReport }[],
): Promise<void> {
  // Several of one line: the furthest counts, the first of equals.
  const furthest = new Map<number, DeliveryReport>();
  for (const { id, report } of batch) {
    const previous = furthest.get(id);
    if (!previous || stateRank[report.state] > stateRank[previous.state]) furthest.set(id, report);
  }
  const recipients = await loadClaimedRecipients(t, [...furthest.keys()]);
  // A receipt of another round or version of the line says nothing about this one.
  const matching = recipients.filter(
    (l) => l.carrier === carrier && idempotencyKeysOf(l).includes(furthest.get(l.id)!.key),
  );
  if (!matching.length) return;
  for (const l of matching) {
    const r = furthest.get(l.id)!;
    if (r.code === 'opted_out')
      await optOut(t, {
        number: l.to_number,
        source: 'carrier_error',
        numberId: null,
        proof: r.reason,
      });
  }
  const moved = await advanceRecipients(
    t.tx,
    t.companyId,
    matching.map((l): RecipientResult => {
      const r = furthest.get(l.id)!;
      return {
        id: l.id,
        state: r.state,
        providerId: r.providerId,
        code: r.code,
        text: errorText(r.code, r.reason),
        transient: false,
        batchId: l.batch_id,
        credits: l.credits,
      };
    }),
    t.now,
    true,
  );
  // Its batch may have its places in the inbox already.
  await reopenInboxSync(
    t.tx,
    t.companyId,
    matching.flatMap((l) => (l.state === 'pending' ? (l.batch_id ?? []) : [])),
  );
  const inInbox = moved.filter((l) => l.item_id !== null);
  if (!(await updateCampaignMessages(t, inInbox.map(deliveryStateChangeOf)))) return;
  for (const c of await campaignsByIds(
    t.tx,
    t.companyId,
    inInbox.map((l) => l.campaign_id),
  )) {
    const count = inInbox.filter((l) => l.campaign_id === c.id).length;
    if (count && c.number_id)
      await t.publish(
        campaignInboxSynced,
        { campaignId: c.id, numberId: c.number_id, count },
        { numberId: c.number_id },
      );
  }
}

/** Reported recipients as they were last claimed, even if the answer to that is still on its way. */
async function loadClaimedRecipients(
  t: TxCtx,
  ids: readonly number[],
): Promise<(ReportedRecipient & { credits: number | null })[]> {
  const recipients = await recipientsByIds(t.tx, t.companyId, ids);
  const pending = recipients.filter((l) => l.state === 'pending');
  const last = pending.length
    ? await lastClaims(
        t.tx,
        t.companyId,
        [...new Set(pending.map((l) => l.campaign_id))],
        pending.map((l) => l.id),
        pending.flatMap((l) => l.batch_id ?? []),
      )
    : null;
  return recipients.map((l) => ({
    ...l,
    credits: null,
    ...(l.state === 'pending' ? last?.get(l.id) : undefined),
  }));
}

/** Under which keys the carrier may have its text. One that waits for another round was handed over in the one before. */
function idempotencyKeysOf(l: ReportedRecipient): (string | null)[] {
  if (l.text_version === null) return [];
  return [
    idempotencyKeyOf(l, l.text_version),
    ...(l.state === 'pending' && l.round > 0
      ? [idempotencyKeyOf({ ...l, round: l.round - 1 }, l.text_version)]
      : []),
  ];
}
