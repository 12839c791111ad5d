import type { AttributionModel } from '#contract/tracking/pool-rules';
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import { defaultModel } from '../models/store.ts';

/** From a moment to before another, as SQL; only these pools and numbers (null: all). */
export interface ReportScope {
  from: RawBuilder<unknown>;
  to: RawBuilder<unknown>;
  poolIds: readonly number[] | null;
  numberIds: readonly number[] | null;
  /** Numbers of a person who is limited to some. */
  only: readonly number[] | null;
}
/** What a report groups by, of a visit. */
interface VisitFacts {
  source_id: number;
  source_key: string;
  source_label: string;
  medium: string | null;
  campaign: string | null;
  term: string | null;
  url: string | null;
  device: string | null;
  region: string | null;
}
export interface MatchedCall extends VisitFacts {
  id: number;
  call_id: number;
  at: Date;
  number_id: number;
  number: string;
  party: string;
  pool_id: number | null;
  pool_name: string | null;
  model: AttributionModel;
  lookback_days: number;
  visitor_id: string | null;
  visit_id: number | null;
}
export interface ReportVisit extends VisitFacts {
  /** The match whose visitor made it. */
  match_id: number;
  id: number;
  started_at: Date;
}
/** Visits of one visitor that are considered at most, as for a single call. */
const MOST_TOUCHES = 200;

const inList = (column: ReturnType<typeof sql>, ids: readonly number[] | null) =>
  ids === null ? sql`true` : sql`${column} = any (${[...ids]}::bigint[])`;

/** A page of the calls to tracking numbers in a period, the oldest first. */
export const matchedCalls = async (
  tx: Tx,
  companyId: number,
  { from, to, poolIds, numberIds, only }: ReportScope,
  after: { at: Date; id: number } | null,
  limit: number,
): Promise<MatchedCall[]> => {
  const usual = await defaultModel(tx, companyId);
  const { rows } =
    await sql<MatchedCall>`select m.id, m.subject_id as call_id, m.at, m.number_id, n.number, m.party,
        m.pool_id, p.name as pool_name, coalesce(p.settings ->> 'attributionModel', ${usual.model}) as model,
        coalesce((p.settings ->> 'lookbackDays')::int, ${usual.lookback_days}::int) as lookback_days, m.visitor_id,
        m.visit_id, m.source_id, m.source_key, m.source_label, m.medium, m.campaign, m.term,
        m.landing_url as url, m.device, null::text as region
      from (select * from tracking_match
        where company_id = ${companyId} and kind <> 'text' and at >= ${from} and at < ${to}
          and ${after ? sql`(at, id) > (${after.at}, ${after.id})` : sql`true`}
          and ${inList(sql`pool_id`, poolIds)} and ${inList(sql`number_id`, numberIds)}
          and ${inList(sql`number_id`, only)}
        order by at, id limit ${limit}) m
      cross join lateral (select number from number
        where company_id = ${companyId} and id = m.number_id offset 0) n
      left join lateral (select name, settings from tracking_pool
        where company_id = ${companyId} and id = m.pool_id offset 0) p on true
      order by m.at, m.id`.execute(tx);
  return rows;
};

/** The visits of each call's visitor up to the call, or the one visit of someone not recognized. */
export const visitsOfMatches = async (
  tx: Tx,
  companyId: number,
  matches: readonly MatchedCall[],
): Promise<ReportVisit[]> => {
  const columns = sql`v.id, v.started_at, v.source_id, v.source_key, v.source_label, v.medium,
    v.campaign, v.term, v.url, v.device, v.region`;
  const { rows } = await sql<ReportVisit>`select a.match_id, v.*
    from unnest(${matches.map(({ id }) => id)}::bigint[],
      ${matches.map(({ visitor_id }) => visitor_id)}::text[],
      ${matches.map(({ visit_id }) => visit_id)}::bigint[],
      ${matches.map(({ at }) => at)}::timestamptz[],
      ${matches.map(({ lookback_days }) => lookback_days)}::int[])
      a (match_id, visitor_id, visit_id, at, days)
    cross join lateral (
      (select ${columns} from tracking_visit v
        where v.company_id = ${companyId} and v.visitor_id = a.visitor_id and v.started_at <= a.at
          and v.started_at > a.at - make_interval(days => a.days)
        order by v.started_at desc, v.id desc limit ${MOST_TOUCHES}::int)
      union all
      (select ${columns} from tracking_visit v
        where a.visitor_id is null and v.company_id = ${companyId} and v.id = a.visit_id)) v`.execute(
    tx,
  );
  return rows;
};

/** The first call or text of each call's person up to it, as for a single call. */
export const firstContacts = async (
  tx: Tx,
  companyId: number,
  matches: readonly MatchedCall[],
): Promise<{ match_id: number; visit_id: number | null; at: Date }[]> => {
  const first = (who: ReturnType<typeof sql>) => sql`(select m.visit_id, m.at from tracking_match m
    where m.company_id = ${companyId} and ${who} and m.at <= a.at order by m.at limit 1)`;
  const parties = matches.map(({ party }) => (party.startsWith('+') ? party : null));
  const { rows } = await sql<{ match_id: number; visit_id: number | null; at: Date }>`
    select a.match_id, f.visit_id, f.at
    from unnest(${matches.map(({ id }) => id)}::bigint[], ${parties}::text[],
      ${matches.map(({ visitor_id }) => visitor_id)}::text[],
      ${matches.map(({ at }) => at)}::timestamptz[]) a (match_id, party, visitor_id, at)
    cross join lateral (select visit_id, at from (${first(sql`m.party = a.party`)} union all
      ${first(sql`m.visitor_id = a.visitor_id`)}) firsts order by at limit 1) f`.execute(tx);
  return rows;
};

/** Which of these are pools of the company, also deleted ones. */
export const poolsAmong = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<Set<number>> => {
  const { rows } = await sql<{ id: number }>`select id from tracking_pool
    where company_id = ${companyId} and id = any (${[...ids]}::bigint[])`.execute(tx);
  return new Set(rows.map(({ id }) => id));
};
