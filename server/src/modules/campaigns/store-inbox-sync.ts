import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { RecipientRow } from './store.ts';
import { textsOfRecipients } from './store-batches.ts';

const submittedStates = sql.raw(`('handed', 'sent', 'delivered', 'undelivered', 'unknown')`);
/** Submitted recipients whose text isn't in the inbox yet, batch by batch. */
const withoutInboxItem = (
  companyId: number,
  campaignId: number,
) => sql`campaign_batch b cross join unnest(b.recipient_ids) i(id)
    cross join lateral (select *
        from campaign_recipient r where r.company_id = ${companyId} and r.id = i.id limit 1) r
  where b.company_id = ${companyId} and b.campaign_id = ${campaignId} and not b.filed
    and r.batch_id = b.id and r.item_id is null and r.state in ${submittedStates}`;

interface RecipientWithoutItem extends RecipientRow {
  text: string;
  carrier: string;
}
/**
 * Recipients whose text isn't in the inbox yet, locked in the order of IDs, as by everyone who writes
 * many. `before`: those that may still get a receipt only if submitted by then; null: all.
 */
export const lockRecipientsWithoutItem = async (
  tx: Tx,
  companyId: number,
  campaignId: number,
  limit: number,
  before: Date | null,
): Promise<RecipientWithoutItem[]> => {
  const { rows } = await sql<RecipientRow>`select * from campaign_recipient
      where company_id = ${companyId} and item_id is null and id = any(array(
      select r.id from ${withoutInboxItem(companyId, campaignId)}
        ${
          before
            ? sql`and (r.state in ('delivered', 'undelivered')
            or r.submitted_at <= ${before} or r.submitted_at is null)`
            : sql``
        }
          limit ${limit}))
    order by id for update`.execute(tx);
  const texts = await textsOfRecipients(tx, companyId, rows);
  return rows.map((r) => ({
    ...r,
    text: texts.get(r.id)?.text ?? '',
    carrier: texts.get(r.id)?.carrier ?? '',
  }));
};
/** Are there others than these? */
export const hasRecipientsWithoutItem = async (
  tx: Tx,
  companyId: number,
  campaignId: number,
  exceptIds: readonly number[],
): Promise<boolean> =>
  (
    await sql`select from ${withoutInboxItem(companyId, campaignId)}
      and r.id <> all(${[...exceptIds]}::bigint[]) limit 1`.execute(tx)
  ).rows.length > 0;
/** Stores their inbox items, and marks batches that are complete in the inbox. */
export async function linkInboxItems(
  tx: Tx,
  companyId: number,
  campaignId: number,
  filed: readonly { id: number; itemId: number; conversationId: number }[],
): Promise<void> {
  if (filed.length)
    await sql`update campaign_recipient r set item_id = g.item, conversation_id = g.conversation
    from unnest(${filed.map((f) => f.id)}::bigint[], ${filed.map((f) => f.itemId)}::bigint[],
        ${filed.map((f) => f.conversationId)}::bigint[]) g(id, item, conversation)
    where r.company_id = ${companyId} and r.id = g.id`.execute(tx);
  await sql`update campaign_batch b set filed = true from (select id from campaign_batch
      where company_id = ${companyId} and campaign_id = ${campaignId}
        and not filed and finished_at is not null order by id limit 5) o
    where b.company_id = ${companyId}
      and b.id = o.id and not exists (select from unnest(b.recipient_ids) i(id)
      cross join lateral (select *
          from campaign_recipient r where r.company_id = ${companyId} and r.id = i.id limit 1) r
      where r.batch_id = b.id and r.item_id is null and r.state in ('pending', 'handed', 'sent',
          'delivered', 'undelivered', 'unknown'))`.execute(tx);
}

/** A receipt came for a recipient that counted as waiting: its batch did submit it. */
export const reopenInboxSync = async (
  tx: Tx,
  companyId: number,
  batchIds: readonly number[],
): Promise<void> => {
  if (batchIds.length)
    await sql`update campaign_batch set filed = false
    where company_id = ${companyId} and id = any(${[...batchIds]}::bigint[]) and filed`.execute(tx);
};
