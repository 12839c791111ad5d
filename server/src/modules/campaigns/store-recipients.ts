import { sql } from 'kysely';
import { oneRow, prepared, type Tx } from '../../platform/db.ts';
import type { RecipientRow } from './store.ts';

/** Skips recipients that still wait. */
export const skipRecipients = async (
  tx: Tx,
  companyId: number,
  skips: readonly { id: number; reason: string }[],
): Promise<void> => {
  if (skips.length)
    await sql`update campaign_recipient r set state = 'skipped', skip_reason = g.reason
      from unnest(${skips.map((s) => s.id)}::bigint[],
        ${skips.map((s) => s.reason)}::text[]) g(id, reason)
      where r.company_id = ${companyId} and r.id = g.id and r.state = 'pending'`.execute(tx);
};
/** Skips all that still wait, when a campaign ends. Claimed ones are finished by their worker. */
export async function skipWaitingRecipients(
  tx: Tx,
  companyId: number,
  campaignId: number,
): Promise<void> {
  await sql`update campaign_recipient r set state = 'skipped', skip_reason = 'canceled'
    from campaign c cross join unnest(c.zones, c.reached) z(zone, reached)
    where c.company_id = ${companyId}
      and c.id = ${campaignId} and r.company_id = ${companyId} and r.campaign_id = ${campaignId}
      and r.zone = z.zone and r.id > coalesce(z.reached, 0) and r.state = 'pending'`.execute(tx);
  await sql`with again as (delete from campaign_requeue
      where company_id = ${companyId} and campaign_id = ${campaignId} returning recipient_id)
    update campaign_recipient r set state = 'skipped', skip_reason = 'canceled' from again a
    where r.company_id = ${companyId} and r.id = a.recipient_id and r.state = 'pending'`.execute(
    tx,
  );
}

/** What is needed of a recipient that changed. */
export type RecipientChange = Pick<
  RecipientRow,
  'id' | 'campaign_id' | 'item_id' | 'state' | 'error_code' | 'error_text'
>;
export interface RecipientResult {
  id: number;
  state: string;
  providerId: string | null;
  code: string | null;
  text: string | null;
  transient: boolean;
  /** The batch that claimed it, and its credits; null: as stored. */
  batchId: number | null;
  credits: number | null;
}

const stateRankSql = (state: ReturnType<typeof sql>) =>
  sql`case ${state} when 'pending' then 0 when 'unknown' then 2 when 'handed' then 3 when 'sent'
      then 4 when 'delivered' then 5 when 'undelivered' then 5 when 'failed' then 5 else 9 end`;
/**
 * Stores results of recipients, forward only: a response after the receipt changes nothing but the
 * carrier's ID. Returns those that changed. One that waits again is changed only by the carrier's
 * own report (`reported`), which proves that it has the text. Everyone who writes many rows does so
 * in the order of IDs.
 */
export async function advanceRecipients(
  tx: Tx,
  companyId: number,
  unsorted: readonly RecipientResult[],
  at: Date,
  reported = false,
): Promise<RecipientChange[]> {
  if (!unsorted.length) return [];
  const results = [...unsorted].sort((a, b) => a.id - b.id);
  const { rows } = await sql<RecipientChange>`${prepared}update campaign_recipient r
      set state = g.state, error_code = g.code, error_text = g.text, passing = g.passing,
      provider_message_id = coalesce(r.provider_message_id, g.provider),
        batch_id = coalesce(g.batch, r.batch_id), credits = coalesce(g.credits, r.credits),
      submitted_at = case when g.state = 'failed' and r.submitted_at is null then null
          else coalesce(r.submitted_at, ${at}::timestamptz) end,
      delivered_at = case when g.state = 'delivered' then ${at}::timestamptz else r.delivered_at end
    from unnest(${results.map((r) => r.id)}::bigint[], ${results.map((r) => r.state)}::text[],
        ${results.map((r) => r.providerId)}::text[], ${results.map((r) => r.code)}::text[],
      ${results.map((r) => r.text)}::text[], ${results.map((r) => r.transient)}::boolean[],
        ${results.map((r) => r.batchId)}::bigint[], ${results.map((r) => r.credits)}::int[])
      g(id, state, provider, code, text, passing, batch, credits)
    where r.company_id = ${companyId} and r.id = any(${results.map((r) => r.id)}::bigint[])
      and r.id = g.id and ${stateRankSql(sql`g.state`)} > ${stateRankSql(sql`r.state`)}
      and (${reported}::boolean or r.state <> 'pending' or r.batch_id is distinct from g.batch)
    returning r.id, r.campaign_id, r.item_id, r.state, r.error_code, r.error_text`.execute(tx);
  if (rows.length === results.length) return rows;
  const moved = new Set(rows.map((r) => r.id));
  const late = results.filter((r) => r.providerId !== null && !moved.has(r.id));
  if (late.length)
    await sql`update campaign_recipient r set provider_message_id = g.provider
    from unnest(${late.map((r) => r.id)}::bigint[],
        ${late.map((r) => r.providerId)}::text[]) g(id, provider)
    where r.company_id = ${companyId} and r.id = g.id
      and r.provider_message_id is null and r.state not in ('pending', 'skipped')`.execute(tx);
  return rows;
}
/**
 * Other campaigns that claimed recipients since then, or up to a day before, because a response may
 * have taken long.
 */
const claimedSince = (companyId: number, campaignId: number, since: Date) =>
  sql`select c.id from campaign c where c.company_id = ${companyId}
    and c.id <> ${campaignId} and c.last_claim_at > ${since}::timestamptz - interval '1 day'`;
/**
 * The recipient of campaign `c` with this number. Without statistics all indexes that begin with the campaign look
 * alike; only one has this order.
 */
const recipientAt = (companyId: number, number: ReturnType<typeof sql>) =>
  sql`(select * from campaign_recipient r where r.company_id = ${companyId}
      and r.campaign_id = c.id and r.to_number >= ${number} and r.to_number <= ${number}
    order by r.to_number limit 1)`;
/** Which of these numbers another campaign texted since then. */
export const textedSince = async (
  tx: Tx,
  companyId: number,
  campaignId: number,
  numbers: readonly string[],
  since: Date,
): Promise<Set<string>> =>
  new Set(
    (
      await sql<{
        to_number: string;
      }>`select distinct n.to_number from (${claimedSince(companyId, campaignId, since)}) c
        cross join unnest(${[...numbers]}::text[]) n(to_number)
    cross join lateral ${recipientAt(companyId, sql`n.to_number`)} r
    where r.submitted_at > ${since}`.execute(tx)
    ).rows.map((r) => r.to_number),
  );
/** The same as a condition on `number`, for the statement that writes recipients. */
export const wasTextedSince = (
  companyId: number,
  campaignId: number,
  number: ReturnType<typeof sql>,
  since: Date,
) =>
  sql`exists (select from unnest(array(${claimedSince(companyId, campaignId, since)})) c(id)
    cross join lateral ${recipientAt(companyId, number)} r where r.submitted_at > ${since})`;
/** The newest results are searched in at most so many batches with so many recipients together. */
const outcomesFrom = { batches: 400, recipients: 1500 } as const;
/**
 * The newest results since the campaign was last resumed (`since`), and how many of them failed.
 */
export const latestOutcomes = async (
  tx: Tx,
  companyId: number,
  campaignId: number,
  last: number,
  since: Date | null,
): Promise<{ n: number; failed: number }> =>
  oneRow(
    tx,
    sql<{
      n: number;
      failed: number;
    }>`select count(*)::int n,
      (count(*) filter (where state in ('failed', 'undelivered')))::int failed from (
    select r.state from (select b.*, sum(b.size) over (order by b.id desc) - b.size newer from (
        select id, size, claimed_at, recipient_ids
          from campaign_batch where company_id = ${companyId} and campaign_id = ${campaignId}
          order by id desc limit ${outcomesFrom.batches}) b) b
      cross join unnest(b.recipient_ids) i(id)
      cross join lateral (select *
          from campaign_recipient r where r.company_id = ${companyId} and r.id = i.id limit 1) r
    where b.newer < ${outcomesFrom.recipients} and r.batch_id = b.id
      and r.state <> 'pending' and (r.submitted_at is not null or r.state = 'failed')
      ${since ? sql`and coalesce(r.submitted_at, b.claimed_at) > ${since}` : sql``}
    order by coalesce(r.submitted_at, b.claimed_at) desc limit ${last}) o`,
  );
/**
 * Retries those rejected for a temporary reason, in a new round, whose key makes it a new text to
 * the carrier.
 */
export const requeueFailed = (tx: Tx, companyId: number, campaignId: number) =>
  sql`with back as (update campaign_recipient set state = 'pending', round = round + 1,
      submitted_at = null, error_code = null, error_text = null, provider_message_id = null
      where company_id = ${companyId} and campaign_id = ${campaignId} and exception_state = 'failed'
        and passing and submitted_at is null returning campaign_id, id, zone)
    insert into campaign_requeue (company_id, campaign_id, recipient_id, zone)
      select ${companyId}, campaign_id, id, zone from back on conflict do nothing`.execute(tx);

/** A recipient that a carrier reports on, with its batch's values; null: it was never claimed. */
export type ReportedRecipient = RecipientChange &
  Pick<RecipientRow, 'company_id' | 'to_number' | 'round' | 'batch_id'> & {
    carrier: string | null;
    text_version: number | null;
  };
/** Recipients with the batch that sent to them, for delivery reports. */
export const recipientsByIds = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<ReportedRecipient[]> =>
  (
    await sql<ReportedRecipient>`${prepared}select r.company_id, r.id, r.campaign_id,
      r.item_id, r.state, r.error_code, r.error_text, r.to_number, r.round, r.batch_id,
      b.carrier, b.text_version
    from unnest(${[...ids]}::bigint[]) i(id) cross join lateral (select *
        from campaign_recipient r where r.company_id = ${companyId} and r.id = i.id limit 1) r
    left join campaign_batch b on b.company_id = r.company_id and b.id = r.batch_id`.execute(tx)
  ).rows;

/**
 * The newest campaign's recipient with this number, submitted within 72 hours, from `numberId`
 * (null: any of ours).
 */
export const latestRecipientOf = async (
  tx: Tx,
  companyId: number,
  party: string,
  at: Date,
  numberId: number | null,
): Promise<{ id: number; campaign_id: number } | undefined> =>
  (
    await sql<{ id: number; campaign_id: number }>`select r.id, r.campaign_id from campaign c
    cross join lateral ${recipientAt(companyId, sql`${party}`)} r
    where c.company_id = ${companyId} and c.last_claim_at > ${at}::timestamptz - interval '4 days'
      ${numberId === null ? sql`` : sql`and c.number_id = ${numberId}`}
      and r.submitted_at is not null and r.submitted_at <= ${at}::timestamptz + interval '5 seconds'
        and r.submitted_at > ${at}::timestamptz - interval '72 hours' and r.state <> 'failed'
    order by r.submitted_at desc limit 1`.execute(tx)
  ).rows[0];
/** Stores a reply; the earliest counts, in whatever order their jobs run. */
export const recordReply = (tx: Tx, companyId: number, id: number, text: string, at: Date) =>
  sql`update campaign_recipient set responded_at = ${at}, reply = ${text.slice(0, 500)}
    where company_id = ${companyId}
    and id = ${id} and (responded_at is null or responded_at > ${at})`.execute(tx);
/** Notes on a recipient when they opted out; the earliest time wins. */
export const recordOptOut = (tx: Tx, companyId: number, id: number, at: Date) =>
  sql`update campaign_recipient set unsubscribed_at = ${at} where company_id = ${companyId}
    and id = ${id} and (unsubscribed_at is null or unsubscribed_at > ${at})`.execute(tx);
