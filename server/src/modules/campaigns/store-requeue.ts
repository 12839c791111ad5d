import type { Tx } from '../../platform/db.ts';
import { requeueRecipients, deleteRequeued } from './store-batches.ts';
import { skipRecipients } from './store-recipients.ts';

export const waitingRecipients = (
  tx: Tx,
  companyId: number,
  campaignId: number,
  after: number,
  limit: number,
): Promise<{ id: number; to_number: string }[]> =>
  tx
    .selectFrom('campaign_recipient')
    .select(['id', 'to_number'])
    .where('company_id', '=', companyId)
    .where('campaign_id', '=', campaignId)
    .where('state', '=', 'pending')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
/**
 * Lines are written before their campaign is: whoever holds a campaign first (a claim, a cancellation) never waits for lines, so
 * nobody waits in a circle. This is for those who need to know at the end how the campaign stands.
 */
const lockCampaign = (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<{ state: string; deleted_at: Date | null } | undefined> =>
  tx
    .selectFrom('campaign')
    .select(['state', 'deleted_at'])
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
/** Claimed lines that were certainly not handed over wait once more; those of a campaign that ended meanwhile get nothing. */
export async function requeueClaimed(
  tx: Tx,
  companyId: number,
  campaignId: number,
  batchId: number,
  ids: readonly number[],
): Promise<void> {
  if (!ids.length) return;
  await requeueRecipients(
    tx,
    companyId,
    batchId,
    [...ids].sort((a, b) => a - b),
  );
  const c = await lockCampaign(tx, companyId, campaignId);
  if (!c || c.deleted_at || !['sending', 'paused', 'queued'].includes(c.state)) {
    await skipRecipients(
      tx,
      companyId,
      ids.map((id) => ({ id, reason: 'canceled' })),
    );
    await deleteRequeued(tx, companyId, campaignId, ids);
  }
}
