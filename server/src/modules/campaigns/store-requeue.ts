import type { Tx } from '../../platform/db.ts';
import { requeueRecipients, deleteRequeued } from './store-batches.ts';
import { skipRecipients } from './store-recipients.ts';

/** A page of recipients that wait, after this ID. */
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
 * Recipients are locked before their campaign; who locks a campaign first (a claim, a cancellation)
 * never waits for recipients, so there is no deadlock. This is for those who need its state at the end.
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
/**
 * Claimed recipients that certainly weren't submitted wait again; if the campaign ended meanwhile,
 * they are skipped.
 */
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
