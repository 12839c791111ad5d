import { sql, type RawBuilder } from 'kysely';
import { oneRow, type Tx } from '../../../platform/db.ts';

/** Something that visitors of websites saw of a number. */
export interface SeenEvent {
  /** Of the lease when it began, its negative when it ended; of the visit when a page showed it. */
  id: number;
  at: Date;
  type: 'lease_started' | 'lease_ended' | 'swap_seen';
  pool_id: number | null;
  lease_id: number | null;
  visit_id: number | null;
  is_shared: boolean;
  /** How long the lease was. */
  seconds: number;
  source_label: string | null;
  campaign: string | null;
  url: string | null;
}
interface Asked {
  numberId: number;
  wanted: readonly SeenEvent['type'][];
  before: { at: Date; id: number } | null;
  limit: number;
  now: Date;
}

/** A lease is at most so long. */
const longest = sql`interval '12 hours'`;
const endOf = sql`coalesce(l.ended_at, l.expires_at)`;
/** The visit of the lease `l`, if a page of it said during the lease that it shows the number. */
const swapIn = (companyId: number) => sql`select id, swapped_at from tracking_visit
  where company_id = ${companyId} and id = l.session_id
    and swapped_at between l.started_at and ${endOf} limit 1`;
const ofVisit = sql`v.source_label, v.campaign, v.url`;
const older = ({ before }: Asked, at: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
  before ? sql`(${at}, ${id}) < (${before.at}::timestamptz, ${before.id}::bigint)` : sql`true`;

/**
 * What the latest `leases` leases that began before `upTo` tell, newest first, down to the time at
 * which the oldest of them began: `since`, null if there are no older ones.
 */
export async function leaseEvents(
  tx: Tx,
  companyId: number,
  asked: Asked & { upTo: Date; leases: number },
): Promise<{ events: SeenEvent[]; since: Date | null }> {
  const { numberId, wanted, upTo, leases, now } = asked;
  const ofNumber = sql`l.company_id = ${companyId} and l.number_id = ${numberId}
    and l.started_at <= ${upTo}::timestamptz`;
  const { since } = await oneRow(
    tx,
    sql<{ since: Date | null }>`select (select l.started_at from tracking_lease l where ${ofNumber}
      order by l.started_at desc offset ${leases} limit 1) since`,
  );
  const from = since === null ? sql`'-infinity'::timestamptz` : sql`${since}::timestamptz`;
  const { rows } = await sql<SeenEvent>`with held as materialized (
      select l.id, l.pool_id, l.session_id, l.is_shared, l.started_at, l.expires_at,
        ${endOf} as ended_at
      from tracking_lease l where ${ofNumber} and l.started_at >= ${from} - ${longest}
    ), found as (
      select id, started_at as at, 'lease_started' as type, id as lease_id, pool_id,
        session_id as visit_id, is_shared, started_at, ended_at from held
      union all select -id, ended_at, 'lease_ended', id, pool_id, session_id, is_shared, started_at,
        ended_at from held where ended_at <= ${now}::timestamptz
      union all select v.id, v.swapped_at, 'swap_seen', l.id, l.pool_id, v.id, l.is_shared,
        l.started_at, l.ended_at
        from held l cross join lateral (${swapIn(companyId)}) v
        where 'swap_seen' = any (${[...wanted]}::text[])
    ), page as (
      select * from found l
      where type = any (${[...wanted]}::text[]) and at > ${from} and at <= ${upTo}::timestamptz
        and ${older(asked, sql`at`, sql`id`)}
      order by at desc, id desc limit ${asked.limit}
    )
    select page.id, page.at, page.type, page.lease_id, page.pool_id, page.visit_id, page.is_shared,
      extract(epoch from page.ended_at - page.started_at)::int as seconds, ${ofVisit}
    from page left join tracking_visit v on v.company_id = ${companyId} and v.id = page.visit_id
    order by page.at desc, page.id desc`.execute(tx);
  return { events: rows, since };
}

/** Pages that showed the number because it always is their source's, newest first. */
export const fixedSwaps = async (tx: Tx, companyId: number, asked: Asked): Promise<SeenEvent[]> =>
  (
    await sql<SeenEvent>`select v.id, v.swapped_at as at, 'swap_seen' as type, null as lease_id,
        v.pool_id, v.id as visit_id, false as is_shared, 0 as seconds, ${ofVisit}
      from tracking_visit v
      where v.company_id = ${companyId} and v.fixed_number_id = ${asked.numberId}
        and v.swapped_at is not null and ${older(asked, sql`v.swapped_at`, sql`v.id`)}
      order by v.swapped_at desc, v.id desc limit ${asked.limit}`.execute(tx)
  ).rows;

/** Leases that began and ended, and visits whose pages showed the number. */
export const countLeaseEvents = async (tx: Tx, companyId: number, numberId: number, now: Date) =>
  (
    await oneRow(
      tx,
      sql<{ n: number }>`select (leases + ended + swapped + fixed)::int n from (
        select count(*) leases, count(*) filter (where ${endOf} <= ${now}::timestamptz) ended,
          count(v.swapped_at) swapped
        from tracking_lease l
        left join lateral (${swapIn(companyId)}) v on true
        where l.company_id = ${companyId} and l.number_id = ${numberId}) held, (
        select count(*) fixed from tracking_visit where company_id = ${companyId}
          and fixed_number_id = ${numberId} and swapped_at is not null) shown`,
    )
  ).n;
