import type { DropReason, HitKind } from '#contract/tracking/hit-rules';
import { hitsPerVisit } from '#contract/tracking/hit-rules';
import { poolSettings, type PoolSettings } from '#contract/tracking/pool-schemas';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db.ts';
import { numberOfVisit, visitFacts, type FormVisit } from '../feed/store.ts';
import type { Hit } from './hit.ts';

/** A visit as the steps need it. `settings` null: its pool was deleted. */
export interface HitVisit {
  id: number;
  poolId: number | null;
  sourceId: number;
  /** Of its pool. */
  defaultNumberId: number | null;
  /** What the live feed tells of it. */
  facts: FormVisit;
  settings: PoolSettings | null;
}

/**
 * The visits of hits, with their pools. They stay locked, in the order of their IDs, so that two
 * batches never wait for each other.
 */
export async function visitsOfHits(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, HitVisit>> {
  const { rows } = await sql<
    FormVisit & { source_id: number }
  >`select v.source_id, v.medium, v.term, ${visitFacts}
    from tracking_visit v ${numberOfVisit}
    where v.company_id = ${companyId} and v.id = any (${[...ids]}::bigint[])
    order by v.id for no key update of v`.execute(tx);
  const poolIds = [...new Set(rows.flatMap(({ pool_id }) => pool_id ?? []))];
  const pools = await sql<{
    id: number;
    settings: unknown;
    default_number_id: number | null;
  }>`select id, settings, default_number_id from tracking_pool
    where company_id = ${companyId} and id = any (${poolIds}::bigint[])
      and deleted_at is null`.execute(tx);
  const settings = new Map(pools.rows.map((pool) => [pool.id, poolSettings.parse(pool.settings)]));
  const defaults = new Map(pools.rows.map((pool) => [pool.id, pool.default_number_id]));
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        poolId: row.pool_id,
        sourceId: row.source_id,
        facts: row,
        defaultNumberId: (row.pool_id !== null && defaults.get(row.pool_id)) || null,
        settings: (row.pool_id !== null && settings.get(row.pool_id)) || null,
      },
    ]),
  );
}

/**
 * The pages of these visits are still open: their leases go on, up to their end. Returns those that
 * aren't over, each with the time until which its number stays; null: it leases none. Locks visits
 * in the order of their IDs, then the places of their numbers, then their leases, as `leaseNumber`
 * does: in another order two of these could deadlock.
 */
export async function keepAliveMany(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  at: Date,
): Promise<Map<number, Date | null>> {
  const now = sql`${at}::timestamptz`;
  const { rows } = await sql<{ id: number; expires_at: Date | null }>`with visit as materialized (
      select v.id, v.lease_id, v.last_seen_at,
        coalesce((p.settings->>'sessionTimeoutMinutes')::int, 30) as timeout
      from tracking_visit v
      left join tracking_pool p on p.company_id = v.company_id and p.id = v.pool_id
      where v.company_id = ${companyId} and v.id = any (${[...ids]}::bigint[])
      order by v.id for no key update of v
    ), seen as (
      update tracking_visit v set last_seen_at = greatest(v.last_seen_at, ${now}) from visit
      where v.company_id = ${companyId} and v.id = visit.id
        and visit.last_seen_at > ${now} - make_interval(mins => visit.timeout)
      returning v.id
    ), place as materialized (
      select s.number_id from visit
      join tracking_lease l on l.company_id = ${companyId} and l.id = visit.lease_id
      join tracking_pool_number s on s.company_id = l.company_id and s.number_id = l.number_id
      where l.ended_at is null and l.expires_at > ${now}
      order by s.number_id for update of s
    ), kept as (
      update tracking_lease l set last_seen_at = ${now},
        expires_at = least(l.ends_at, ${now} + make_interval(mins => visit.timeout))
      -- Counting makes it wait until the places are locked.
      from visit where (select count(*) from place) >= 0 and l.company_id = ${companyId} and l.id = visit.lease_id and l.ended_at is null
        and l.expires_at > ${now}
      returning l.id, l.number_id, l.expires_at
    ), placed as (
      update tracking_pool_number s set leased_until = greatest(s.leased_until, k.expires_at)
      from (select number_id, max(expires_at) as expires_at from kept group by number_id) k
      where s.company_id = ${companyId} and s.number_id = k.number_id
    )
    select visit.id, kept.expires_at from visit join seen on seen.id = visit.id
    left join kept on kept.id = visit.lease_id
    where visit.lease_id is null or kept.expires_at is not null`.execute(tx);
  return new Map(rows.map((row) => [row.id, row.expires_at && new Date(row.expires_at)]));
}

/** A page view or an event to store, with its pool. */
export type StoredHit = Hit & { kind: 'pageview' | 'event'; poolId: number };

/**
 * Stores page views and events in their order and counts them at their visits; of each kind only the
 * first of a visit. Returns how many of a visit and kind were stored.
 */
export async function storeHits(
  tx: Tx,
  companyId: number,
  hits: readonly StoredHit[],
): Promise<(visitId: number, kind: Hit['kind']) => number> {
  const rows = JSON.stringify(
    hits.map(({ visitId, poolId, kind, at, url, title, source, name, data, ip, region }) => ({
      ...{ visit_id: visitId, pool_id: poolId, kind, at, url, title, name, data, ip, region },
      ...{ source_id: source?.id ?? null, source_key: source?.key ?? null },
    })),
  );
  const { rows: stored } = await sql<{ visit_id: number; kind: string; n: number }>`with hit as (
      select h.*, row_number() over (partition by h.visit_id, h.kind order by h.place) as nth
      from rows from (jsonb_to_recordset(${rows}::jsonb) as (visit_id bigint, pool_id bigint,
        kind text, at timestamptz, url text, title text, source_id bigint, source_key text,
        name text, data jsonb, ip text, region text)) with ordinality
        as h(visit_id, pool_id, kind, at, url, title, source_id, source_key, name, data, ip, region,
          place)
    ), total as (
      select visit_id, count(*) filter (where kind = 'pageview')::int as pages,
        count(*) filter (where kind = 'event')::int as events
      from hit group by visit_id
    ), counted as (
      update tracking_visit v set page_count = v.page_count + total.pages,
        event_count = v.event_count + total.events
      from total where v.company_id = ${companyId} and v.id = total.visit_id
      returning v.id, v.page_count - total.pages as pages, v.event_count - total.events as events
    ), added as (
      insert into tracking_hit (company_id, visit_id, at, pool_id, kind, url, title, source_id,
        source_key, name, data, ip, region)
      select ${companyId}::bigint, hit.visit_id, hit.at, hit.pool_id, hit.kind, hit.url, hit.title,
        hit.source_id, hit.source_key, hit.name, hit.data, hit.ip, hit.region
      from hit join counted on counted.id = hit.visit_id
      where hit.nth + case hit.kind when 'pageview' then counted.pages else counted.events end
        <= ${hitsPerVisit}
      order by hit.place returning visit_id, kind
    )
    select visit_id, kind, count(*)::int as n from added group by visit_id, kind`.execute(tx);
  const found = new Map(stored.map(({ visit_id, kind, n }) => [`${visit_id} ${kind}`, n]));
  return (visitId, kind) => found.get(`${visitId} ${kind}`) ?? 0;
}

/** Pages of these visits said for the first time that they show the visitor's number. */
export const storeSwaps = (tx: Tx, companyId: number, ids: readonly number[], at: Date) =>
  sql`update tracking_visit set swapped_at = ${at}
    where company_id = ${companyId} and id = any (${[...ids]}::bigint[])`.execute(tx);

/** Adds captured cookies to visits; what one had before stays. */
export const addCookies = (
  tx: Tx,
  companyId: number,
  visits: readonly { visitId: number; cookies: Readonly<Record<string, string>> }[],
) =>
  sql`update tracking_visit v set captured = jsonb_set(v.captured, '{cookies}',
      c.cookies || coalesce(v.captured->'cookies', '{}'))
    from jsonb_to_recordset(${JSON.stringify(visits)}::jsonb) as c("visitId" bigint, cookies jsonb)
    where v.company_id = ${companyId} and v.id = c."visitId"`.execute(tx);

/** So many hits of a kind in an hour; an empty reason: they were counted. */
export interface CountRow {
  poolId: number;
  hour: Date;
  kind: HitKind;
  reason: DropReason | '';
  n: number;
}

/** Adds to the counts, in one order so that two of these never wait for each other. */
export const storeCounts = (tx: Tx, companyId: number, rows: readonly CountRow[]) =>
  sql`insert into tracking_hit_count as t (company_id, pool_id, hour, kind, reason, n)
    select ${companyId}::bigint, c."poolId", c.hour, c.kind, c.reason, c.n
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as c("poolId" bigint, hour timestamptz, kind text, reason text, n int)
    join tracking_pool p on p.company_id = ${companyId} and p.id = c."poolId"
    order by 2, 3, 4, 5
    on conflict (company_id, pool_id, hour, kind, reason)
      do update set n = t.n + excluded.n`.execute(tx);

/** What became of a pool's hits since a time. */
export const countsOfPool = async (tx: Tx, companyId: number, poolId: number, since: Date) =>
  (
    await sql<{ kind: HitKind; reason: DropReason | ''; n: number }>`
      select kind, reason, sum(n)::int as n from tracking_hit_count
      where company_id = ${companyId} and pool_id = ${poolId} and hour > ${since}
      group by kind, reason order by n desc, kind, reason`.execute(tx)
  ).rows;

/** Makes the partition of a day (UTC), unless it is there. */
export const makeDay = (db: Db, day: Date) =>
  sql`select make_tracking_hit_day(${day.toISOString().slice(0, 10)}::date)`.execute(db.unscoped);

/** Domains of a company's active pools. */
export const sitesOfCompany = async (tx: Tx, companyId: number): Promise<string[]> =>
  (
    await sql<{ domain: string }>`select distinct jsonb_array_elements_text(settings->'domains')
        as domain
      from tracking_pool where company_id = ${companyId} and deleted_at is null
        and status = 'active'`.execute(tx)
  ).rows.map(({ domain }) => domain);
