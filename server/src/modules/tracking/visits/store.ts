import type { Classification } from '#contract/tracking/schemas';
import { sql } from 'kysely';
import { oneRow, prepared, type Tx } from '../../../platform/db.ts';

/** What is stored of a visit when it begins. */
export interface NewVisit {
  /** The visit that goes on; null: a new one. */
  id: number | null;
  poolId: number | null;
  visitorId: string | null;
  url: string;
  referrer: string | null;
  classification: Classification;
  device: 'desktop' | 'mobile' | 'tablet';
  /** Without the part that names a household. */
  ip: string | null;
  region: string | null;
  captured: { params: Record<string, string>; cookies: Record<string, string> };
  now: Date;
}

const urlLimit = 2048;
const columns = sql`company_id, id, pool_id, lease_id, visitor_id, started_at, last_seen_at, url,
  referrer, source_id, source_key, source_label, medium, campaign, term, content, click_ids, rule_id,
  evidence, device, ip, region, captured, outcome`;
const valuesOf = (
  companyId: number,
  v: NewVisit,
  lease: ReturnType<typeof sql>,
  how: ReturnType<typeof sql>,
) => {
  const { source, medium, campaign, term, content, clickIds, ruleId, evidence } = v.classification;
  return sql`${companyId}::bigint, ids.visit_id, ${v.poolId}::bigint, ${lease}, ${v.visitorId}::text, ${time(v.now)}, ${time(v.now)},
    ${v.url.slice(0, urlLimit)}, ${v.referrer?.slice(0, urlLimit) ?? null}, ${source.id}::bigint,
    ${source.key}, ${source.label}, ${medium}, ${campaign}, ${term}, ${content},
    ${JSON.stringify(clickIds)}::jsonb, ${ruleId}, ${evidence}, ${v.device},
    ${v.ip}, ${v.region}, ${JSON.stringify(v.captured)}::jsonb, ${how}`;
};
/** A visit that goes on keeps what it began with; what a later page captures is added. */
const onConflict = sql`on conflict (company_id, id) do update
  set last_seen_at = excluded.last_seen_at, lease_id = excluded.lease_id,
    -- One that shares its number still does.
    outcome = case when tracking_visit.lease_id = excluded.lease_id then tracking_visit.outcome
      else excluded.outcome end,
    captured = jsonb_build_object(
      'params', excluded.captured->'params' || coalesce(tracking_visit.captured->'params', '{}'),
      'cookies', excluded.captured->'cookies' || coalesce(tracking_visit.captured->'cookies', '{}'))`;
const idsOf = (visit: NewVisit) =>
  sql`ids as materialized (select coalesce(${visit.id}::bigint, next_id()) as visit_id)`;

/**
 * Stores a visit that leases nothing. Returns its ID, and that of the number that its source always
 * sees; null: it sees none.
 */
export const storeVisit = (
  tx: Tx,
  companyId: number,
  visit: NewVisit,
  number: string | null,
): Promise<{ id: number; number_id: number | null }> =>
  oneRow(
    tx,
    sql<{ id: number; number_id: number | null }>`${prepared}with ${idsOf(visit)}
      insert into tracking_visit (${columns}, fixed_number_id)
      select ${valuesOf(companyId, visit, sql`null::bigint`, sql`case when ${number}::text is null then 'none' else 'static' end`)},
        (select number_id from tracking_pool_number
          where company_id = ${companyId} and number = ${number}::text limit 1) from ids
      ${onConflict}, fixed_number_id = excluded.fixed_number_id
      returning id, fixed_number_id as number_id`,
  );

/** A visit as the next page of it needs it. Undefined: none, or it is over. */
export const liveVisit = async (tx: Tx, companyId: number, id: number, since: Date) =>
  (
    await sql<{ id: number; visitor_id: string | null }>`select id, visitor_id from tracking_visit
      where company_id = ${companyId} and id = ${id} and last_seen_at > ${since}`.execute(tx)
  ).rows[0];

interface LeaseTerms {
  poolId: number;
  timeoutMinutes: number;
  quarantineMinutes: number;
  stickyDays: number;
}
interface Leased {
  visit_id: number;
  lease_id: number | null;
  number_id: number | null;
  number: string | null;
  expires_at: Date | null;
}
/** A lease ends after this time, however long the page stays open. */
const MAX_HOURS = 12;
/** A time in SQL; the type is named because nothing else in such a place would say it. */
const time = (at: Date) => sql`${at}::timestamptz`;
const after = (at: Date, minutes: number) => time(new Date(at.getTime() + minutes * 60_000));

/**
 * Gives a visit its number and stores the visit, in one statement: the number it has; else the one
 * the visitor had last, if no one has it; else the one that is idle longest, its rest over. Whoever
 * asks at the same time gets another, because the place of a number is locked and locked ones are
 * skipped. Locks a visit, then the place of its number, then its lease, as `keepAliveMany` does: in
 * another order the two could deadlock. `lease_id` null: none is free.
 */
export async function leaseNumber(
  tx: Tx,
  companyId: number,
  visit: NewVisit,
  { poolId, timeoutMinutes, quarantineMinutes, stickyDays }: LeaseTerms,
): Promise<Leased> {
  const now = time(visit.now);
  const [expires, ends] = [after(visit.now, timeoutMinutes), after(visit.now, MAX_HOURS * 60)];
  const places = sql`s.company_id = ${companyId} and s.pool_id = ${poolId}`;
  return oneRow(
    tx,
    sql<Leased>`${prepared}with ${idsOf(visit)}, own as materialized (
      select lease_id from tracking_visit
      where company_id = ${companyId} and id = ${visit.id}::bigint for no key update
    ), sticky as materialized (
      select id, number_id, is_shared, session_id from tracking_lease
      where company_id = ${companyId} and visitor_id = ${visit.visitorId} and pool_id = ${poolId}
        and started_at > ${after(visit.now, -stickyDays * 1440)}
      order by started_at desc limit 1
    ), live as materialized (
      select l.id, s.number from (
        select lease_id as id from own
        -- What it had in this pool before it went to pages of another.
        union all select id from sticky where session_id = ${visit.id}::bigint and not is_shared
      ) had
      join tracking_lease l on l.company_id = ${companyId} and l.id = had.id
      join tracking_pool_number s on s.number_id = l.number_id
      where ${places} and l.ended_at is null and l.expires_at > ${now}
      limit 1 for update of s
    ), free as materialized (
      select s.number_id, s.number from tracking_pool_number s
      where ${places} and not exists (select from live) and (s.leased_until is null
        -- No rest for the one who had it last; if another had it meanwhile, that one may still call.
        or s.leased_until <= case when s.lease_id = (select id from sticky where not is_shared)
          then ${now} else ${after(visit.now, -quarantineMinutes)} end)
      order by s.number_id is not distinct from (select number_id from sticky) desc,
        s.leased_until nulls first, s.position
      limit 1 for update of s skip locked
    ), ended as (
      update tracking_lease l set ended_at = l.expires_at from free
      where l.company_id = ${companyId} and l.number_id = free.number_id and l.ended_at is null
      returning l.id
    ), given as (
      insert into tracking_lease (company_id, pool_id, number_id, session_id, visitor_id, started_at,
        last_seen_at, expires_at, ends_at)
      -- Counting makes it wait until the number's last lease is ended: only one can be running.
      select ${companyId}::bigint, ${poolId}::bigint, free.number_id, ids.visit_id,
        ${visit.visitorId ?? ''}::text, ${now},
        ${now}, ${expires}, ${ends} from free, ids where (select count(*) from ended) >= 0
      returning id, number_id, expires_at
    ), placed as (
      update tracking_pool_number s set lease_id = given.id, leased_until = given.expires_at
      from given where s.company_id = ${companyId} and s.number_id = given.number_id
    ), kept as (
      update tracking_lease l set last_seen_at = ${now}, expires_at = least(${expires}, l.ends_at)
      from live where l.company_id = ${companyId} and l.id = live.id
      returning l.id, l.number_id, l.expires_at
    ), stayed as (
      -- Another who shares the number may have it longer.
      update tracking_pool_number s set leased_until = greatest(s.leased_until, kept.expires_at)
      from kept where s.company_id = ${companyId} and s.number_id = kept.number_id
    ), found as (
      select coalesce(kept.id, given.id) as lease_id,
        coalesce(kept.number_id, given.number_id) as number_id, coalesce(live.number, free.number) as number,
        coalesce(kept.expires_at, given.expires_at) as expires_at
      from ids left join live on true left join kept on true left join free on true
        left join given on true
    ), visited as (
      insert into tracking_visit (${columns})
      select ${valuesOf(
        companyId,
        visit,
        sql`found.lease_id`,
        sql`case when found.lease_id is null then 'exhausted' else 'leased' end`,
      )} from ids, found ${onConflict}
    )
    select ids.visit_id, found.* from ids, found`,
  );
}

/**
 * Lets a visit share the number of the oldest lease; both leases are marked. Undefined: the pool has
 * none.
 */
export async function shareNumber(
  tx: Tx,
  companyId: number,
  visit: Pick<NewVisit, 'visitorId' | 'now'> & { id: number },
  { poolId, timeoutMinutes }: Pick<LeaseTerms, 'poolId' | 'timeoutMinutes'>,
): Promise<{ number_id: number; number: string; expires_at: Date } | undefined> {
  const now = time(visit.now);
  const [expires, ends] = [after(visit.now, timeoutMinutes), after(visit.now, MAX_HOURS * 60)];
  const { rows } = await sql<{
    number_id: number;
    number: string;
    expires_at: Date;
  }>`with oldest as materialized (
      select s.number_id, s.number, s.lease_id from tracking_pool_number s
      join tracking_lease l on l.company_id = s.company_id and l.id = s.lease_id
      where s.company_id = ${companyId} and s.pool_id = ${poolId} and s.leased_until > ${now}
      order by l.started_at limit 1 for update of s
    ), marked as (
      update tracking_lease l set is_shared = true from oldest
      where l.company_id = ${companyId} and l.id = oldest.lease_id
    ), given as (
      insert into tracking_lease (company_id, pool_id, number_id, session_id, visitor_id, is_shared,
        started_at, last_seen_at, expires_at, ends_at)
      select ${companyId}::bigint, ${poolId}::bigint, number_id, ${visit.id}::bigint,
        ${visit.visitorId ?? ''}::text, true, ${now},
        ${now}, ${expires}, ${ends} from oldest returning id, number_id, expires_at
    ), placed as (
      update tracking_pool_number s set leased_until = greatest(s.leased_until, given.expires_at)
      from given where s.company_id = ${companyId} and s.number_id = given.number_id
    ), visited as (
      update tracking_visit v set outcome = 'shared', lease_id = given.id from given
      where v.company_id = ${companyId} and v.id = ${visit.id}
    )
    select oldest.number_id, oldest.number, given.expires_at from oldest, given`.execute(tx);
  return rows[0];
}

/** Whether the company's websites show its numbers: the feature `dni`, from the companies' table. */
export async function showsNumbers(tx: Tx, companyId: number): Promise<boolean> {
  const { rows } = await sql<{ dni: unknown }>`
    select settings -> 'feature.dni' dni from company where id = ${companyId}`.execute(tx);
  return rows[0]?.dni !== false;
}
