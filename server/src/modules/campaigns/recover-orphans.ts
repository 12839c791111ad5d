import { systemCtx, type Ctx, type Services, type OutboxNotifier } from '../../platform/context.ts';
import {
  checkUnknown as checkUnknownText,
  maxStatusChecks,
  recoverOrphan,
  type FoundText,
  type UncertainTexts,
} from '../messaging/index.ts';
import { claimSeconds, idempotencyKeyOf } from './rules.ts';
import {
  countStatusCheck,
  unknownRecipients,
  orphanedRecipients,
  markOrphanedSettled,
  type UncertainRecipient,
} from './store-batches.ts';
import { advanceRecipients, type RecipientResult } from './store-recipients.ts';
import { requeueClaimed } from './store-requeue.ts';
import { scheduleInboxSync } from './campaign-events.ts';
import { unknownResult } from './result-writer.ts';
import { moveInboxItemsJob } from './job-kinds.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** Recipients whose result is uncertain. Their texts get their state in the inbox, too. */
const uncertainRecipients: UncertainTexts<UncertainRecipient> = {
  submittedAs: (recipient) => ({
    carrier: recipient.carrier,
    key: idempotencyKeyOf(recipient, recipient.text_version),
  }),
  found: async (t, recipient, found) => {
    await advanceRecipients(t.tx, t.companyId, [foundResultOf(recipient, found)], t.now);
    if (!recipient.item_id) return scheduleInboxSync(t, recipient.campaign_id);
    await t.enqueue(moveInboxItemsJob, {
      campaignId: recipient.campaign_id,
      ids: [recipient.id],
    });
  },
  requeue: async (t, { campaign_id, batch_id, id }) => {
    await requeueClaimed(t.tx, t.companyId, campaign_id, batch_id, [id]);
    await scheduleInboxSync(t, campaign_id);
  },
  markUnknown: async (t, recipient) => {
    const result = { ...unsentResultOf(recipient), ...unknownResult };
    await advanceRecipients(t.tx, t.companyId, [result], t.now);
    await scheduleInboxSync(t, recipient.campaign_id);
  },
  countCheck: async (t, recipient) => {
    await countStatusCheck(t.tx, t.companyId, [recipient.id]);
  },
};
const unsentResultOf = ({ id, batch_id, credits }: UncertainRecipient) => ({
  id,
  providerId: null,
  transient: false,
  batchId: batch_id,
  credits,
});
const foundResultOf = (recipient: UncertainRecipient, found: FoundText): RecipientResult => ({
  ...unsentResultOf(recipient),
  state: found.state === 'sent' ? 'handed' : found.state,
  providerId: found.providerId,
  code: null,
  text: null,
});

/**
 * Looks up claims whose worker died (`recoverOrphan`). Returns how many there were; those whose
 * carrier is unreachable are looked up again the next time.
 */
export async function recoverOrphans(
  services: Services,
  notifier: OutboxNotifier,
): Promise<number> {
  const recipients = await orphanedRecipients(services.db.unscoped, claimSeconds);
  await forEachRecipient(services, notifier, recipients, recoverOrphan);
  await markOrphanedSettled(services.db.unscoped, claimSeconds);
  return recipients.length;
}

/**
 * Looks up texts whose response was lost, ever more rarely. Sends nothing; returns how many there
 * were.
 */
export async function checkUnknown(services: Services, notifier: OutboxNotifier): Promise<number> {
  const recipients = await unknownRecipients(services.db.unscoped, maxStatusChecks);
  await forEachRecipient(services, notifier, recipients, checkUnknownText);
  return recipients.length;
}

/** Lookups that run at the same time. */
const lookupConcurrency = 10;
type LookUp = (
  ctx: Ctx,
  table: UncertainTexts<UncertainRecipient>,
  recipient: UncertainRecipient,
) => Promise<unknown>;

/** One that fails is logged and looked up another time. */
async function forEachRecipient(
  services: Services,
  notifier: OutboxNotifier,
  recipients: readonly UncertainRecipient[],
  lookUp: LookUp,
): Promise<void> {
  const queue = [...recipients];
  const worker = async () => {
    for (let recipient = queue.shift(); recipient; recipient = queue.shift()) {
      const { id, company_id } = recipient;
      const ctx = systemCtx(services, company_id, notifier, 'campaign');
      await lookUp(ctx, uncertainRecipients, recipient).catch((error: unknown) => {
        services.log.warn({ err: error, recipient: id }, 'a recipient could not be looked up');
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(lookupConcurrency, queue.length) }, worker));
}
