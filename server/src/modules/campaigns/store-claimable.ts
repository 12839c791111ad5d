import { sql } from 'kysely';
import { prepared, type Tx } from '../../platform/db.ts';
import { mustBe } from '../../platform/must-be.ts';
import type { RecipientRow } from './store.ts';

/**
 * A recipient that may be claimed now. Not the whole row: reading that costs as much as sending.
 */
export interface ClaimableRecipient extends Pick<
  RecipientRow,
  'company_id' | 'id' | 'campaign_id' | 'to_number' | 'round' | 'zone' | 'state'
> {
  name: string | null;
  email: string | null;
  /** The contact was deleted. */
  gone: boolean;
  /** It waits again, in `campaign_requeue`. */
  again: boolean;
}

const waitingColumns = sql.raw(
  'r.company_id, r.id, r.campaign_id, r.contact_id, r.to_number, r.round, r.zone, r.state',
);
/**
 * Recipients of one zone `z` that were never claimed, in order. Only one index fits both conditions
 * and order.
 */
const neverClaimed = (
  companyId: number,
  campaignId: number,
  dir: 'asc' | 'desc' = 'asc',
) => sql`from campaign_recipient r
  where r.company_id = ${companyId}
    and r.campaign_id = ${campaignId} and r.zone >= z.zone and r.zone <= z.zone
    and r.id > z.reached and r.state = 'pending'
      order by r.zone ${sql.raw(dir)}, r.id ${sql.raw(dir)}`;

/**
 * Who may be claimed now, at most `limit`: first those that wait again, then zone by zone from where
 * claiming came to (`reached`), each zone in the order of IDs without a gap. `zones` are the open
 * ones. The caller has locked the campaign's row, so no one else claims. Some that wait again may be
 * finished (`state`), because a receipt came after all.
 */
export async function claimableRecipients(
  tx: Tx,
  companyId: number,
  campaignId: number,
  zones: readonly string[],
  reached: readonly number[],
  limit: number,
): Promise<ClaimableRecipient[]> {
  const { rows } = await sql<ClaimableRecipient>`${prepared}select w.*, c.name, c.email,
      (c.id is null or c.deleted_at is not null) gone
    from ((select ${waitingColumns}, true again
        from (select a.recipient_id from campaign_requeue a
          where a.company_id = ${companyId}
            and a.campaign_id = ${campaignId} and a.zone = any(${[...zones]}::text[])
          order by a.recipient_id limit ${limit}) a
        cross join lateral (select r.* from campaign_recipient r
            where r.company_id = ${companyId} and r.id = a.recipient_id limit 1) r)
      union all (select ${waitingColumns}, false again
          from unnest(${[...zones]}::text[], ${[...reached]}::bigint[]) z(zone, reached)
        cross join lateral (select ${waitingColumns} ${neverClaimed(companyId, campaignId)}
            limit ${limit}) r limit ${limit})) w
    left join lateral (select * from contact c
        where c.company_id = w.company_id and c.id = w.contact_id limit 1) c on true`.execute(tx);
  const place = new Map(zones.map((z, i) => [z, i]));
  const order = (w: ClaimableRecipient) =>
    w.again ? -1 : mustBe(place.get(w.zone), 'zone that was asked for');
  return rows.sort((a, b) => order(a) - order(b) || a.id - b.id).slice(0, limit);
}

/** Zones in which recipients still wait. */
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
    where exists (select from campaign_requeue a
        where a.company_id = ${companyId} and a.campaign_id = ${campaignId} and a.zone = z.zone)
      or exists (select
          from (select r.id ${neverClaimed(companyId, campaignId)} limit 1) r)`.execute(tx)
  ).rows.map((r) => r.zone);

/**
 * First and last ID of recipients that wait or are in flight; `first` is after `last` if there are
 * none.
 */
export async function waitingIdRange(
  tx: Tx,
  companyId: number,
  campaignId: number,
  zones: readonly string[],
  reached: readonly number[],
): Promise<{ first: number; last: number }> {
  const never = (dir: 'asc' | 'desc') => sql`select r.id
    from unnest(${[...zones]}::text[], ${[...reached]}::bigint[]) z(zone, reached)
    cross join lateral (select r.id ${neverClaimed(companyId, campaignId, dir)} limit 1) r`;
  const {
    rows: [ends],
  } = await sql<{
    first: number | null;
    last: number | null;
  }>`select min(id) first, max(id) last from (
      (${never('asc')}) union all (${never('desc')})
      union all (select recipient_id
          from campaign_requeue where company_id = ${companyId} and campaign_id = ${campaignId})
      union all (select unnest(recipient_ids) from campaign_batch where company_id = ${companyId}
          and campaign_id = ${campaignId} and finished_at is null)) w(id)`.execute(tx);
  return { first: ends?.first ?? 1, last: ends?.last ?? 0 };
}
