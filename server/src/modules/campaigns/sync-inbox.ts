import type { DeliveryState } from '#contract/conversations/rules';
import { campaignInboxSynced } from '#contract/campaigns/events';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { firstOf, mustBe } from '../../platform/must-be.ts';
import {
  appendCampaignMessages,
  updateCampaignMessages,
  type StoredMedia,
} from '../conversations/index.ts';
import { campaignById } from './store.ts';
import {
  hasRecipientsWithoutItem,
  lockRecipientsWithoutItem,
  linkInboxItems,
} from './store-inbox-sync.ts';
import { recipientsByIds, type RecipientChange } from './store-recipients.ts';
import { scheduleInboxSync } from './campaign-events.ts';

const batchSize = 50;
/**
 * While more is sent, a text waits so long for its receipt, so that the inbox is written once, not
 * twice.
 */
const receiptGraceMs = 2000;
/** A recipient's state as a conversation shows it. */
const deliveryStateOf = (state: string): DeliveryState =>
  state === 'handed' ? 'sent' : (state as DeliveryState);
/** A recipient's new state as the inbox shows it on the text sent to them. */
export const deliveryStateChangeOf = (r: RecipientChange) => ({
  itemId: mustBe(r.item_id, 'item of a recipient in the inbox'),
  state: deliveryStateOf(r.state),
  code: r.error_code,
  text: r.error_text,
});

/** Adds a campaign's texts to conversations, fifty at a time. Sending doesn't wait for it. */
export async function syncInbox(ctx: Ctx, job: { campaignId: number }): Promise<void> {
  const background = ctx.inBackground();
  while ((await background.transaction((t) => syncInboxBatch(t, job.campaignId))) === batchSize);
}

async function syncInboxBatch(t: TxCtx, campaignId: number): Promise<number> {
  const c = await campaignById(t.tx, t.companyId, campaignId, null);
  if (!c?.number_id) return 0;
  const isSending = c.state === 'sending';
  const recipients = await lockRecipientsWithoutItem(
    t.tx,
    t.companyId,
    campaignId,
    batchSize,
    isSending ? new Date(t.now.getTime() - receiptGraceMs) : null,
  );
  if (
    isSending &&
    recipients.length < batchSize &&
    (await hasRecipientsWithoutItem(
      t.tx,
      t.companyId,
      campaignId,
      recipients.map((l) => l.id),
    ))
  )
    await scheduleInboxSync(t, campaignId, new Date(t.now.getTime() + receiptGraceMs));
  if (!recipients.length) {
    await linkInboxItems(t.tx, t.companyId, campaignId, []);
    return 0;
  }
  const appended = await appendCampaignMessages(t, {
    numberId: c.number_id,
    carrier: firstOf(recipients).carrier,
    actor: { id: c.user_id, name: c.user_name },
    skipInbox: c.skip_inbox,
    texts: recipients.map((l) => ({
      party: l.to_number,
      content: l.text,
      media: c.media as StoredMedia[],
      at: l.submitted_at ?? t.now,
      state: deliveryStateOf(l.state),
      code: l.error_code,
      reason: l.error_text,
      source: `campaign:${l.id}`,
    })),
  });
  await linkInboxItems(
    t.tx,
    t.companyId,
    campaignId,
    recipients.flatMap((l) => {
      const f = appended.get(`campaign:${l.id}`);
      return f ? [{ id: l.id, ...f }] : [];
    }),
  );
  await t.publish(
    campaignInboxSynced,
    { campaignId, numberId: c.number_id, count: recipients.length },
    { numberId: c.number_id },
  );
  return recipients.length;
}

/** Updates messages whose recipients changed without a receipt. */
export async function updateInboxStates(
  ctx: Ctx,
  job: { campaignId: number; ids: number[] },
): Promise<void> {
  await ctx.transaction(async (t) => {
    const c = await campaignById(t.tx, t.companyId, job.campaignId, null);
    const updated = await updateCampaignMessages(
      t,
      (await recipientsByIds(t.tx, t.companyId, job.ids))
        .filter((l) => l.item_id)
        .map(deliveryStateChangeOf),
    );
    if (c?.number_id && updated)
      await t.publish(
        campaignInboxSynced,
        { campaignId: c.id, numberId: c.number_id, count: updated },
        { numberId: c.number_id },
      );
  });
}
