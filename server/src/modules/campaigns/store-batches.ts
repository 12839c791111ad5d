import { sql } from 'kysely';
import { prepared, type Tx } from '../../platform/db.ts';
import { ownerLostSql } from '../../platform/lease.ts';
import type { RecipientRow } from './store-events.ts';

/** A recipient that may be claimed now. Only what is needed: reading whole rows costs as much as sending. */
export interface ClaimableRecipient extends Pick<
  RecipientRow,
  'company_id' | 'id' | 'campaign_id' | 'to_number' | 'round' | 'zone' | 'state'
> {
  name: string | null;
  email: string | null;
  /** The contact was deleted. */
  gone: boolean;
  /** It waits once more, and stands in `campaign_requeue`. */
  again: boolean;
}

const waitingColumns = sql.raw(
  'r.company_id, r.id, r.campaign_id, r.contact_id, r.to_number, r.round, r.zone, r.state',
);
/** Those of one zone `z` that were never claimed, in order. Both the comparisons and the order name one index and no other. */
const neverClaimed = (
  companyId: number,
  campaignId: number,
  dir: 'asc' | 'desc' = 'asc',
) => sql`from campaign_recipient r
  where r.company_id = ${companyId} and r.campaign_id = ${campaignId} and r.zone >= z.zone and r.zone <= z.zone
    and r.id > z.reached and r.state = 'pending' order by r.zone ${sql.raw(dir)}, r.id ${sql.raw(dir)}`;

/**
 * Who may be claimed now, at most `limit`: first those that wait once more, then zone by zone from where claiming came to, each zone
 * in the order of ids without a gap. Sleeping zones are not among `zones` and cost nothing. Whoever asks holds the campaign's row,
 * so nobody else claims. Some that wait once more may have come to an end meanwhile (`state`): a receipt came after all.
 */
export async function claimableRecipients(
  tx: Tx,
  companyId: number,
  campaignId: number,
  zones: readonly string[],
  reached: readonly number[],
  limit: number,
): Promise<ClaimableRecipient[]> {
  const { rows } =
    await sql<ClaimableRecipient>`${prepared}select w.*, c.name, c.email, (c.id is null or c.deleted_at is not null) gone
    from ((select ${waitingColumns}, true again
        from (select a.recipient_id from campaign_requeue a
          where a.company_id = ${companyId} and a.campaign_id = ${campaignId} and a.zone = any(${[...zones]}::text[])
          order by a.recipient_id limit ${limit}) a
        cross join lateral (select r.* from campaign_recipient r where r.company_id = ${companyId} and r.id = a.recipient_id limit 1) r)
      union all (select ${waitingColumns}, false again from unnest(${[...zones]}::text[], ${[...reached]}::bigint[]) z(zone, reached)
        cross join lateral (select ${waitingColumns} ${neverClaimed(companyId, campaignId)} limit ${limit}) r limit ${limit})) w
    left join lateral (select * from contact c where c.company_id = w.company_id and c.id = w.contact_id limit 1) c on true`.execute(
      tx,
    );
  const place = new Map(zones.map((z, i) => [z, i]));
  const order = (w: ClaimableRecipient) => (w.again ? -1 : place.get(w.zone)!);
  return rows.sort((a, b) => order(a) - order(b) || a.id - b.id).slice(0, limit);
}

/** Zones in which somebody still waits. */
export const zonesWithWaiting = async (
  tx: Tx,
  companyId: number,
  campaignId: number,
  zones: readonly string[],
  reached: readonly number[],
): Promise<string[]> =>
  (
    await sql<{
      zone: string;
    }>`select z.zone from unnest(${[...zones]}::text[], ${[...reached]}::bigint[]) z(zone, reached)
    where exists (select from campaign_requeue a where a.company_id = ${companyId} and a.campaign_id = ${campaignId} and a.zone = z.zone)
      or exists (select from (select r.id ${neverClaimed(companyId, campaignId)} limit 1) r)`.execute(
      tx,
    )
  ).rows.map((r) => r.zone);

/** Between which ids those lie who wait or are on their way; `first` after `last` where there are none. */
export async function waitingIdRange(
  tx: Tx,
  companyId: number,
  campaignId: number,
  zones: readonly string[],
  reached: readonly number[],
): Promise<{ first: number; last: number }> {
  const never = (
    dir: 'asc' | 'desc',
  ) => sql`select r.id from unnest(${[...zones]}::text[], ${[...reached]}::bigint[]) z(zone, reached)
    cross join lateral (select r.id ${neverClaimed(companyId, campaignId, dir)} limit 1) r`;
  const {
    rows: [ends],
  } = await sql<{
    first: number | null;
    last: number | null;
  }>`select min(id) first, max(id) last from (
      (${never('asc')}) union all (${never('desc')})
      union all (select recipient_id from campaign_requeue where company_id = ${companyId} and campaign_id = ${campaignId})
      union all (select unnest(recipient_ids) from campaign_batch where company_id = ${companyId} and campaign_id = ${campaignId} and finished_at is null)) w(id)`.execute(
    tx,
  );
  return { first: ends?.first ?? 1, last: ends?.last ?? 0 };
}

/** They wait no more: claimed, or come to an end. */
export const deleteRequeued = async (
  tx: Tx,
  companyId: number,
  campaignId: number,
  ids: readonly number[],
): Promise<void> => {
  if (ids.length)
    await sql`delete from campaign_requeue where company_id = ${companyId} and campaign_id = ${campaignId}
    and recipient_id = any(${[...ids]}::bigint[])`.execute(tx);
};

export interface NewClaimBatch {
  campaignId: number;
  dispatcherId: string;
  version: number;
  carrier: string;
  claims: readonly { id: number; text: string; segments: number; credits: number }[];
}
/** Claim recipients, each with the text it gets, frozen. The time is the database's: it is compared with its own clock. */
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
 * A recipient `r` of batch `b` is on its way while it is pending and the batch has not given it back, which is written as its
 * `batch_id`.
 */
const isInFlight = sql.raw(`r.state = 'pending' and r.batch_id is distinct from b.id`);

/** Right before some leave: does their campaign still go, and which of them are still this worker's? */
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
        cross join lateral (select * from campaign_recipient r where r.company_id = ${companyId} and r.id = i.id limit 1) r
        where ${isInFlight}) mine
    from campaign c join campaign_batch b on b.company_id = c.company_id and b.id = ${batchId}
    where c.company_id = ${companyId} and c.id = ${campaignId} and c.deleted_at is null`.execute(
    db,
  );
  return { going: at?.going ?? false, mine: new Set(at?.mine) };
};

/** Claimed, but certainly not handed over: they wait once more. Those that others took from this batch meanwhile stay theirs. */
export const requeueRecipients = (
  tx: Tx,
  companyId: number,
  batchId: number,
  ids: readonly number[],
) =>
  sql`with back as (update campaign_recipient set batch_id = ${batchId}
      where company_id = ${companyId} and id = any(${[...ids]}::bigint[]) and state = 'pending' and batch_id is distinct from ${batchId}
      returning campaign_id, id, zone)
    insert into campaign_requeue (company_id, campaign_id, recipient_id, zone) select ${companyId}, campaign_id, id, zone from back
    on conflict do nothing`.execute(tx);

/** Nothing of this batch is on its way any more. */
export const markBatchSettled = (tx: Tx, companyId: number, id: number) =>
  sql`update campaign_batch set finished_at = clock_timestamp()
    where company_id = ${companyId} and id = ${id} and finished_at is null`.execute(tx);

/** What pending recipients were last claimed in: a batch that is not over, or the one that gave them back (`batchIds`). */
export interface LastClaim {
  batch_id: number;
  carrier: string;
  text_version: number;
  credits: number;
}
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
      and (b.finished_at is null or b.id = any(${[...batchIds]}::bigint[])) and i.id = any(${[...ids]}::bigint[])
    order by b.id`.execute(tx);
  return new Map(rows.map(({ id, ...claim }) => [id, claim]));
};

// ---- after a crash -------------------------------------------------------------------------------------------------

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
const isOrphaned = (
  maxSeconds: number,
) => sql`b.finished_at is null and (b.claimed_at < clock_timestamp() - make_interval(secs => ${maxSeconds})
  or ${sql.raw(ownerLostSql('b.claimed_by', 'b.claimed_at'))})`;
/** What was on its way of such batches, the oldest first. */
export const orphanedRecipients = async (
  db: Tx,
  maxSeconds: number,
): Promise<UncertainRecipient[]> =>
  (
    await sql<UncertainRecipient>`select ${uncertainColumns}, i.credits
    from (select * from campaign_batch b where ${isOrphaned(maxSeconds)} order by b.claimed_at limit 200) b
    cross join unnest(b.recipient_ids, b.credits) i(id, credits)
    cross join lateral (select * from campaign_recipient r where r.company_id = b.company_id and r.id = i.id limit 1) r
    where ${isInFlight} order by b.claimed_at limit 200`.execute(db)
  ).rows;
/** Such batches are over once nothing of them is on its way. */
export const markOrphanedSettled = (db: Tx, maxSeconds: number) =>
  sql`update campaign_batch b set finished_at = clock_timestamp() where ${isOrphaned(maxSeconds)}
    and not exists (select from unnest(b.recipient_ids) i(id)
      cross join lateral (select * from campaign_recipient r where r.company_id = b.company_id and r.id = i.id limit 1) r
      where ${isInFlight})`.execute(db);

/** Lost answers that are due to be asked about: after 4, 8, 16 … seconds. */
export const unknownRecipients = async (db: Tx, maxChecks: number): Promise<UncertainRecipient[]> =>
  (
    await sql<UncertainRecipient>`select ${uncertainColumns}, r.credits from campaign_recipient r join campaign_batch b on b.company_id = r.company_id and b.id = r.batch_id
    where r.exception_state = 'unknown' and r.status_checks < ${maxChecks} and b.claimed_at < clock_timestamp() - make_interval(secs => 4 * power(2, r.status_checks))
    order by r.status_checks, r.id limit 100`.execute(db)
  ).rows;
export const countStatusCheck = (tx: Tx, companyId: number, ids: readonly number[]) =>
  sql`update campaign_recipient set status_checks = status_checks + 1
    where company_id = ${companyId} and id = any(${[...ids]}::bigint[]) and state = 'unknown'`.execute(
    tx,
  );

// ---- the inbox -----------------------------------------------------------------------------------------------------

const submittedStates = sql.raw(`('handed', 'sent', 'delivered', 'undelivered', 'unknown')`);
/** What left by a batch that has no place in the inbox yet, batch by batch. */
const withoutInboxItem = (
  companyId: number,
  campaignId: number,
) => sql`campaign_batch b cross join unnest(b.recipient_ids) i(id)
    cross join lateral (select * from campaign_recipient r where r.company_id = ${companyId} and r.id = i.id limit 1) r
  where b.company_id = ${companyId} and b.campaign_id = ${campaignId} and not b.filed
    and r.batch_id = b.id and r.item_id is null and r.state in ${submittedStates}`;

export interface RecipientWithoutItem extends RecipientRow {
  text: string;
  carrier: string;
}
/**
 * What has no place in the inbox yet, held. `before`: of what may still get a receipt only what was handed over by then. All
 * who write many recipients do so in the order of ids.
 */
export const lockRecipientsWithoutItem = async (
  tx: Tx,
  companyId: number,
  campaignId: number,
  limit: number,
  before: Date | null,
): Promise<RecipientWithoutItem[]> => {
  const { rows } =
    await sql<RecipientRow>`select * from campaign_recipient where company_id = ${companyId} and item_id is null and id = any(array(
      select r.id from ${withoutInboxItem(companyId, campaignId)}
        ${before ? sql`and (r.state in ('delivered', 'undelivered') or r.submitted_at <= ${before} or r.submitted_at is null)` : sql``} limit ${limit}))
    order by id for update`.execute(tx);
  const texts = await textsOfRecipients(tx, companyId, rows);
  return rows.map((r) => ({
    ...r,
    text: texts.get(r.id)?.text ?? '',
    carrier: texts.get(r.id)?.carrier ?? '',
  }));
};
/** Is there any beside these? */
export const hasRecipientsWithoutItem = async (
  tx: Tx,
  companyId: number,
  campaignId: number,
  exceptIds: readonly number[],
): Promise<boolean> =>
  (
    await sql`select from ${withoutInboxItem(companyId, campaignId)} and r.id <> all(${[...exceptIds]}::bigint[]) limit 1`.execute(
      tx,
    )
  ).rows.length > 0;
/** Write where they stand now, and which of their batches are whole. */
export async function linkInboxItems(
  tx: Tx,
  companyId: number,
  campaignId: number,
  filed: readonly { id: number; itemId: number; conversationId: number }[],
): Promise<void> {
  if (filed.length)
    await sql`update campaign_recipient r set item_id = g.item, conversation_id = g.conversation
    from unnest(${filed.map((f) => f.id)}::bigint[], ${filed.map((f) => f.itemId)}::bigint[], ${filed.map((f) => f.conversationId)}::bigint[]) g(id, item, conversation)
    where r.company_id = ${companyId} and r.id = g.id`.execute(tx);
  await sql`update campaign_batch b set filed = true from (select id from campaign_batch
      where company_id = ${companyId} and campaign_id = ${campaignId} and not filed and finished_at is not null order by id limit 5) o
    where b.company_id = ${companyId} and b.id = o.id and not exists (select from unnest(b.recipient_ids) i(id)
      cross join lateral (select * from campaign_recipient r where r.company_id = ${companyId} and r.id = i.id limit 1) r
      where r.batch_id = b.id and r.item_id is null and r.state in ('pending', 'handed', 'sent', 'delivered', 'undelivered', 'unknown'))`.execute(
    tx,
  );
}

/** A receipt came of a recipient that was taken for waiting: it left by its batch after all. */
export const reopenInboxSync = async (
  tx: Tx,
  companyId: number,
  batchIds: readonly number[],
): Promise<void> => {
  if (batchIds.length)
    await sql`update campaign_batch set filed = false
    where company_id = ${companyId} and id = any(${[...batchIds]}::bigint[]) and filed`.execute(tx);
};

/** The texts that recipients got, with what else their batches know, by recipient. */
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
    from campaign_batch b cross join unnest(b.recipient_ids, b.texts, b.segments) i(id, text, segments)
    where b.company_id = ${companyId} and b.id = any(${batches}::bigint[])
      and (b.id, i.id) in (select * from unnest(${rows.map((r) => r.batch_id)}::bigint[], ${rows.map((r) => r.id)}::bigint[]))`.execute(
    tx,
  );
  return new Map(found.rows.map((r) => [r.id, r]));
}
