import { campaignInboxSynced } from '#contract/campaigns/events';
import type { TxCtx } from '../../platform/context.ts';
import type { DeliveryReport } from '../../gateways/messaging.ts';
import { deliveryErrorText, type ReceiptTable, type ReportsById } from '../messaging/index.ts';
import { updateCampaignMessages } from '../conversations/index.ts';
import { deliveryStateChangeOf } from './sync-inbox.ts';
import { idempotencyKeyOf, parseIdempotencyKey } from './rules.ts';
import { campaignsByIds } from './store.ts';
import { lastClaims } from './store-batches.ts';
import { reopenInboxSync } from './store-inbox-sync.ts';
import {
  recipientsByIds,
  advanceRecipients,
  type RecipientChange,
  type ReportedRecipient,
  type RecipientResult,
} from './store-recipients.ts';

/** Receipts of campaign texts, for `receiveReceipts`. */
export const recipientReceipts: ReceiptTable = {
  parseKey: parseIdempotencyKey,
  optOutsOf: async (t, carrier, reports) =>
    (await reportedRecipients(t, carrier, reports)).map(({ recipient, report }) => ({
      number: recipient.to_number,
      numberId: null,
      reason: report.reason,
    })),
  apply: applyReports,
  lowPriority: true,
  // A transaction costs the same for one receipt as for many, and people wait for the same
  // processors.
  batch: { maxBatch: 500, gatherMs: 40 },
};

type ClaimedRecipient = ReportedRecipient & { credits: number | null };
interface ReportedText {
  recipient: ClaimedRecipient;
  report: DeliveryReport;
}

/**
 * The recipients that reports are about; those of another round or version of a text are left out.
 */
async function reportedRecipients(
  t: TxCtx,
  carrier: string,
  reports: ReportsById,
): Promise<ReportedText[]> {
  const recipients = await loadClaimedRecipients(t, [...reports.keys()]);
  return recipients.flatMap((recipient) => {
    const report = reports.get(recipient.id);
    return report && recipient.carrier === carrier && keysOf(recipient).includes(report.key)
      ? { recipient, report }
      : [];
  });
}

async function applyReports(t: TxCtx, carrier: string, reports: ReportsById): Promise<void> {
  const matching = await reportedRecipients(t, carrier, reports);
  if (!matching.length) return;
  const results = matching.map(resultOf);
  const moved = await advanceRecipients(t.tx, t.companyId, results, t.now, true);
  // Those that counted as waiting were sent by their batch after all, which may be in the inbox
  // already.
  const reopened = matching.flatMap(({ recipient }) =>
    recipient.state === 'pending' ? (recipient.batch_id ?? []) : [],
  );
  await reopenInboxSync(t.tx, t.companyId, reopened);
  await updateInbox(
    t,
    moved.filter((change) => change.item_id !== null),
  );
}

const resultOf = ({ recipient, report }: ReportedText): RecipientResult => ({
  id: recipient.id,
  state: report.state,
  providerId: report.providerId,
  code: report.code,
  text: deliveryErrorText(report.code, report.reason),
  transient: false,
  batchId: recipient.batch_id,
  credits: recipient.credits,
});

/** Updates the messages of these recipients, with one event per campaign. */
async function updateInbox(t: TxCtx, changes: readonly RecipientChange[]): Promise<void> {
  if (!(await updateCampaignMessages(t, changes.map(deliveryStateChangeOf)))) return;
  const campaignIds = changes.map((change) => change.campaign_id);
  for (const { id, number_id } of await campaignsByIds(t.tx, t.companyId, campaignIds)) {
    const count = campaignIds.filter((campaignId) => campaignId === id).length;
    if (count && number_id)
      await t.publish(
        campaignInboxSynced,
        { campaignId: id, numberId: number_id, count },
        { numberId: number_id },
      );
  }
}

/** Recipients as they were last claimed, even if the response to that hasn't been stored yet. */
async function loadClaimedRecipients(
  t: TxCtx,
  ids: readonly number[],
): Promise<ClaimedRecipient[]> {
  const recipients = await recipientsByIds(t.tx, t.companyId, ids);
  const pending = recipients.filter((recipient) => recipient.state === 'pending');
  const last = pending.length
    ? await lastClaims(
        t.tx,
        t.companyId,
        [...new Set(pending.map((recipient) => recipient.campaign_id))],
        pending.map((recipient) => recipient.id),
        pending.flatMap((recipient) => recipient.batch_id ?? []),
      )
    : null;
  return recipients.map((recipient) => ({
    ...recipient,
    credits: null,
    ...(recipient.state === 'pending' ? last?.get(recipient.id) : undefined),
  }));
}

/**
 * Keys under which the carrier may have a text. One that waits for another round was submitted in
 * the last.
 */
function keysOf(recipient: ReportedRecipient): (string | null)[] {
  const { text_version: version, state, round } = recipient;
  if (version === null) return [];
  const current = idempotencyKeyOf(recipient, version);
  return state === 'pending' && round > 0
    ? [current, idempotencyKeyOf({ ...recipient, round: round - 1 }, version)]
    : [current];
}
