import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { ReportScope } from './store.ts';

/** What visits are counted by. */
type SessionGroup =
  | 'source'
  | 'medium'
  | 'campaign'
  | 'keyword'
  | 'landing'
  | 'pool'
  | 'number'
  | 'device'
  | 'region'
  | 'day'
  | 'hour';
/** Only visits with one of these; left out: all. */
interface SessionFilters {
  sources?: readonly string[] | undefined;
  mediums?: readonly string[] | undefined;
  campaigns?: readonly string[] | undefined;
  devices?: readonly string[] | undefined;
}
/** `key` null: the visits have no such fact. */
interface SessionCount {
  key: string | null;
  label: string | null;
  n: number;
  /** Forms that were sent in these visits. */
  forms: number;
}

const some = (column: ReturnType<typeof sql>, values: readonly string[] | undefined) =>
  values?.length ? sql`${column} = any (${[...values]}::text[])` : sql`true`;
const amongIds = (column: ReturnType<typeof sql>, ids: readonly number[] | null) =>
  ids === null ? sql`true` : sql`${column} = any (${[...ids]}::bigint[])`;

/** Visits of these pools (null: all), which is also how they are found. */
const ofPools = (companyId: number, poolIds: readonly number[] | null) =>
  sql`v.pool_id = any (array(select id from tracking_pool
    where company_id = ${companyId} and ${amongIds(sql`id`, poolIds)}))`;
const leaseOf = sql`left join lateral (select number_id from tracking_lease
  where company_id = v.company_id and id = v.lease_id offset 0) l on true`;

const keyOf = (group: SessionGroup, tz: string) =>
  ({
    source: sql`v.source_key`,
    medium: sql`v.medium`,
    campaign: sql`v.campaign`,
    keyword: sql`v.term`,
    landing: sql`split_part(split_part(v.url, '#', 1), '?', 1)`,
    pool: sql`v.pool_id::text`,
    number: sql`l.number_id::text`,
    device: sql`v.device`,
    region: sql`v.region`,
    day: sql`to_char(v.started_at at time zone ${tz}, 'YYYY-MM-DD')`,
    hour: sql`to_char(v.started_at at time zone ${tz}, 'HH24')`,
  })[group];

const labelOf: Partial<Record<SessionGroup, ReturnType<typeof sql>>> = {
  source: sql`max(v.source_label)`,
  pool: sql`max(p.name)`,
  number: sql`max(n.number)`,
};

/** Visits that began in a period, counted by what a report groups by. */
export const countSessions = async (
  tx: Tx,
  companyId: number,
  { from, to, poolIds, numberIds, only }: ReportScope,
  { group, tz, filters }: { group: SessionGroup; tz: string; filters: SessionFilters },
): Promise<SessionCount[]> => {
  const needsLease = group === 'number' || numberIds !== null || only !== null;
  const { rows } = await sql<SessionCount>`select ${keyOf(group, tz)} as key,
      ${labelOf[group] ?? sql`null::text`} as label, count(*)::int as n,
      sum(v.form_count)::int as forms
    from tracking_visit v
    ${needsLease ? leaseOf : sql``}
    ${
      group === 'number'
        ? sql`left join number n on n.company_id = v.company_id and n.id = l.number_id`
        : sql``
    }
    ${
      group === 'pool'
        ? sql`left join tracking_pool p on p.company_id = v.company_id and p.id = v.pool_id`
        : sql``
    }
    where v.company_id = ${companyId} and ${ofPools(companyId, poolIds)}
      and v.started_at >= ${from} and v.started_at < ${to}
      and ${amongIds(sql`l.number_id`, numberIds)}
      and ${amongIds(sql`l.number_id`, only)} and ${some(sql`v.source_key`, filters.sources)}
      and ${some(sql`v.medium`, filters.mediums)} and ${some(sql`v.campaign`, filters.campaigns)}
      and ${some(sql`v.device`, filters.devices)}
    group by 1`.execute(tx);
  return rows;
};

/** Ways of visitors without a call, and how many took each. */
interface Way {
  sources: string[];
  times: number;
}
/** Visitors that are looked at; more say little that these don't. */
const MOST_VISITORS = 50_000;

/** The sources, in their order, of visitors of a period who never called. */
export const waysWithoutCall = async (
  tx: Tx,
  companyId: number,
  { from, to, poolIds, only }: ReportScope,
): Promise<Way[]> =>
  (
    await sql<Way>`select sources, count(*)::int as times from (
        select v.visitor_id, array_agg(v.source_key order by v.started_at, v.id) as sources
        from tracking_visit v
        ${only === null ? sql`` : leaseOf}
        where v.company_id = ${companyId} and ${ofPools(companyId, poolIds)}
          and v.started_at >= ${from} and v.started_at < ${to}
          and v.visitor_id is not null and ${amongIds(sql`l.number_id`, only)}
        group by v.visitor_id limit ${MOST_VISITORS}::int) ways
      -- Looked up for each visitor: without the offset all of the company's could be read.
      where not exists (select from tracking_match m
        where m.company_id = ${companyId} and m.visitor_id = ways.visitor_id offset 0)
      group by sources`.execute(tx)
  ).rows;
