import { sql } from 'kysely';
import { prepared, type Tx } from '../../platform/db.ts';
import { ownerLostSql } from '../../platform/lease.ts';
import type { RecipientRow } from './store.ts';

/** They no longer wait: claimed or finished. */
export const deleteRequeued = async (
  tx: Tx,
  companyId: number,
  campaignId: number,
  ids: readonly number[],
): Promise<void> => {
  if (ids.length)
    await sql`delete from campaign_requeue
      where company_id = ${companyId} and campaign_id = ${campaignId}
    and recipient_id = any(${[...ids]}::bigint[])`.execute(tx);
};

export interface NewClaimBatch {
  campaignId: number;
  dispatcherId: string;
  version: number;
  carrier: string;
  claims: readonly { id: number; text: string; segments: number; credits: number }[];
}
/**
 * Claims recipients, each with its text; returns the batch's ID. The time is the database's,
 * because it is compared with its clock.
 */
export const insertBatch = async (tx: Tx, companyId: number, b: NewClaimBatch): Promise<number> =>
  (
    await tx
      .insertInto('campaign_batch')
      .values({
        company_id: companyId,
        campaign_id: b.campaignId,
        claimed_by: b.dispatcherId,
        carrier: b.carrier,
        text_version: b.version,
        size: b.claims.length,
        recipient_ids: b.claims.map((c) => c.id),
        texts: b.claims.map((c) => c.text),
        segments: b.claims.map((c) => c.segments),
        credits: b.claims.map((c) => c.credits),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

/**
 * A recipient `r` of batch `b` is in flight: pending, and not requeued by that batch, which would
 * be its `batch_id`.
 */
const isInFlight = sql.raw(`r.state = 'pending' and r.batch_id is distinct from b.id`);

/**
 * Right before submission: is the campaign still sending (`going`), and which claims are still this
 * worker's (`mine`)?
 */
export const recheckClaims = async (
  db: Tx,
  companyId: number,
  campaignId: number,
  batchId: number,
  ids: readonly number[],
): Promise<{ going: boolean; mine: Set<number> }> => {
  const {
    rows: [at],
  } = await sql<{ going: boolean; mine: number[] }>`${prepared}select c.state = 'sending' going,
      array(select r.id from unnest(${[...ids]}::bigint[]) i(id)
        cross join lateral (select *
            from campaign_recipient r where r.company_id = ${companyId} and r.id = i.id limit 1) r
        where ${isInFlight}) mine
    from campaign c join campaign_batch b on b.company_id = c.company_id and b.id = ${batchId}
    where c.company_id = ${companyId} and c.id = ${campaignId} and c.deleted_at is null`.execute(
    db,
  );
  return { going: at?.going ?? false, mine: new Set(at?.mine) };
};

/**
 * Claimed, but certainly not submitted: they wait again. Those requeued or finished meanwhile are
 * left alone.
 */
export const requeueRecipients = (
  tx: Tx,
  companyId: number,
  batchId: number,
  ids: readonly number[],
) =>
  sql`with back as (update campaign_recipient set batch_id = ${batchId}
      where company_id = ${companyId} and id = any(${[...ids]}::bigint[])
        and state = 'pending' and batch_id is distinct from ${batchId}
      returning campaign_id, id, zone)
    insert into campaign_requeue (company_id, campaign_id, recipient_id, zone)
      select ${companyId}, campaign_id, id, zone from back
    on conflict do nothing`.execute(tx);

/** Nothing of this batch is in flight any more. */
export const markBatchSettled = (tx: Tx, companyId: number, id: number) =>
  sql`update campaign_batch set finished_at = clock_timestamp()
    where company_id = ${companyId} and id = ${id} and finished_at is null`.execute(tx);

/**
 * The batch that last claimed a pending recipient: an unsettled one, or the one that requeued it
 * (`batchIds`).
 */
interface LastClaim {
  batch_id: number;
  carrier: string;
  text_version: number;
  credits: number;
}
/** By recipient ID, the newest batch that claimed it, among unfinished batches and those given. */
export const lastClaims = async (
  tx: Tx,
  companyId: number,
  campaignIds: readonly number[],
  ids: readonly number[],
  batchIds: readonly number[],
): Promise<Map<number, LastClaim>> => {
  const { rows } = await sql<
    LastClaim & { id: number }
  >`select i.id, b.id batch_id, b.carrier, b.text_version, i.credits
    from campaign_batch b cross join unnest(b.recipient_ids, b.credits) i(id, credits)
    where b.company_id = ${companyId} and b.campaign_id = any(${[...campaignIds]}::bigint[])
      and (b.finished_at is null or b.id = any(${[...batchIds]}::bigint[]))
        and i.id = any(${[...ids]}::bigint[])
    order by b.id`.execute(tx);
  return new Map(rows.map(({ id, ...claim }) => [id, claim]));
};

// ---- after a crash ----

/** A recipient in doubt, with what its batch knows. */
export type UncertainRecipient = Pick<
  RecipientRow,
  'company_id' | 'id' | 'campaign_id' | 'to_number' | 'round' | 'item_id'
> & {
  batch_id: number;
  carrier: string;
  text_version: number;
  claimed_by: string;
  credits: number;
};
const uncertainColumns = sql.raw(
  'r.company_id, r.id, r.campaign_id, r.to_number, r.round, r.item_id, b.id batch_id, b.carrier, b.text_version, b.claimed_by',
);

/** Batches whose worker died or lost its lease, or that are older than any submission takes. */
const isOrphaned = (maxSeconds: number) => sql`b.finished_at is null
  and (b.claimed_at < clock_timestamp() - make_interval(secs => ${maxSeconds})
  or ${sql.raw(ownerLostSql('b.claimed_by', 'b.claimed_at'))})`;
/** What was on its way of such batches, the oldest first. */
export const orphanedRecipients = async (
  db: Tx,
  maxSeconds: number,
): Promise<UncertainRecipient[]> =>
  (
    await sql<UncertainRecipient>`select ${uncertainColumns}, i.credits
    from (select * from campaign_batch b
        where ${isOrphaned(maxSeconds)} order by b.claimed_at limit 200) b
    cross join unnest(b.recipient_ids, b.credits) i(id, credits)
    cross join lateral (select *
        from campaign_recipient r where r.company_id = b.company_id and r.id = i.id limit 1) r
    where ${isInFlight} order by b.claimed_at limit 200`.execute(db)
  ).rows;
/** Such batches are over once nothing of them is on its way. */
export const markOrphanedSettled = (db: Tx, maxSeconds: number) =>
  sql`update campaign_batch b set finished_at = clock_timestamp() where ${isOrphaned(maxSeconds)}
    and not exists (select from unnest(b.recipient_ids) i(id)
      cross join lateral (select *
          from campaign_recipient r where r.company_id = b.company_id and r.id = i.id limit 1) r
      where ${isInFlight})`.execute(db);

/** Recipients whose response was lost and that are due for a lookup: after 4, 8, 16 … seconds. */
export const unknownRecipients = async (db: Tx, maxChecks: number): Promise<UncertainRecipient[]> =>
  (
    await sql<UncertainRecipient>`select ${uncertainColumns}, r.credits from campaign_recipient r
      join campaign_batch b on b.company_id = r.company_id and b.id = r.batch_id
    where r.exception_state = 'unknown' and r.status_checks < ${maxChecks}
      and b.claimed_at < clock_timestamp() - make_interval(secs => 4 * power(2, r.status_checks))
    order by r.status_checks, r.id limit 100`.execute(db)
  ).rows;
/** Counts one more question to the carrier about recipients whose delivery is unknown. */
export const countStatusCheck = (tx: Tx, companyId: number, ids: readonly number[]) =>
  sql`update campaign_recipient set status_checks = status_checks + 1
    where company_id = ${companyId}
      and id = any(${[...ids]}::bigint[]) and state = 'unknown'`.execute(tx);

/** The recipients' texts and other values of their batches, by recipient. */
export async function textsOfRecipients(
  tx: Tx,
  companyId: number,
  rows: readonly { id: number; batch_id: number | null }[],
): Promise<Map<number, { text: string; segments: number; text_version: number; carrier: string }>> {
  const batches = [...new Set(rows.flatMap((r) => r.batch_id ?? []))];
  if (!batches.length) return new Map();
  const found = await sql<{
    id: number;
    text: string;
    segments: number;
    text_version: number;
    carrier: string;
  }>`
    select i.id, i.text, i.segments, b.text_version, b.carrier
    from campaign_batch b
      cross join unnest(b.recipient_ids, b.texts, b.segments) i(id, text, segments)
    where b.company_id = ${companyId} and b.id = any(${batches}::bigint[])
      and (b.id, i.id) in (select * from unnest(${rows.map((r) => r.batch_id)}::bigint[],
            ${rows.map((r) => r.id)}::bigint[]))`.execute(tx);
  return new Map(found.rows.map((r) => [r.id, r]));
}
