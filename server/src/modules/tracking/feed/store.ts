import type { Query, tracking as contract } from '#contract';
import { feedSize } from '#contract/tracking/feed-rules';
import type { MatchKind } from '#contract/tracking/match-rules';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Hit } from '../hits/hit.ts';

/** What the feed tells of a visit. */
export interface VisitFacts {
  id: number;
  pool_id: number | null;
  source_key: string;
  source_label: string;
  campaign: string | null;
  url: string;
  region: string | null;
  device: 'desktop' | 'mobile' | 'tablet';
  swapped_at: Date | null;
  number_id: number | null;
  number: string | null;
}
/** The same, as a lead tells of it. */
export interface FormVisit extends VisitFacts {
  medium: string | null;
  term: string | null;
}
/** The columns of `VisitFacts`, from `tracking_visit v` joined with `numberOfVisit`. */
export const visitFacts = sql`v.id, v.pool_id, v.source_key, v.source_label, v.campaign, v.url, v.region,
  v.device, v.swapped_at, shown.id as number_id, shown.number`;
export const numberOfVisit = sql`left join tracking_lease held
    on held.company_id = v.company_id and held.id = v.lease_id
  left join number shown on shown.company_id = v.company_id
    and shown.id = coalesce(held.number_id, v.fixed_number_id)`;

export interface VisitRow extends VisitFacts {
  started_at: Date;
  last_seen_at: Date;
  outcome: string;
  form_count: number;
  /** Of its pool. */
  timeout_minutes: number;
}
export interface MatchFacts {
  subject_id: number;
  kind: MatchKind;
  at: Date;
  party: string;
  pool_id: number | null;
  number_id: number;
  number: string;
  source_key: string;
  source_label: string;
  campaign: string | null;
  landing_url: string | null;
  region: string | null;
  device: string | null;
  visit_id: number | null;
}

type Filters = Pick<Query<typeof contract.realTimeFeed>, 'poolId' | 'source' | 'site'>;
/** A visit that ends now began before later ones, so more are read than are answered. */
const VISITS_OF_POOL = 500;
/** How far back a feed with a rare source looks. */
const DAYS = 30;

const among = (column: ReturnType<typeof sql>, only: readonly number[] | null) =>
  only === null ? sql`true` : sql`${column} = any (${[...only]}::bigint[])`;
const isOn = (url: ReturnType<typeof sql>, { site }: Filters) =>
  site ? sql`split_part(${url}, '/', 3) = ${site.toLowerCase()}` : sql`true`;

/**
 * The latest visits of pools, whatever of them happened when. `only`: numbers of a person who is
 * limited to some; visits that saw none are then left out.
 */
export const latestVisits = async (
  tx: Tx,
  companyId: number,
  filters: Filters,
  only: readonly number[] | null,
  now: Date,
): Promise<VisitRow[]> =>
  (
    await sql<VisitRow>`select v.started_at, v.last_seen_at, v.outcome, v.form_count,
        coalesce((p.settings ->> 'sessionTimeoutMinutes')::int, 30) as timeout_minutes,
        ${visitFacts}
      from tracking_pool p
      cross join lateral (select * from tracking_visit v
        where v.company_id = ${companyId} and v.pool_id = p.id
          and v.started_at > ${now}::timestamptz - make_interval(days => ${DAYS})
          and ${filters.source ? sql`v.source_key = ${filters.source}` : sql`true`}
          and ${isOn(sql`v.url`, filters)}
        order by v.started_at desc limit ${VISITS_OF_POOL}) v
      ${numberOfVisit}
      where p.company_id = ${companyId} and p.deleted_at is null
        and ${filters.poolId ? sql`p.id = ${filters.poolId}` : sql`true`}
        and ${among(sql`shown.id`, only)}`.execute(tx)
  ).rows;

/** The latest calls or texts to numbers of pools. */
export const latestMatches = async (
  tx: Tx,
  companyId: number,
  filters: Filters & { kinds: readonly MatchKind[] },
  only: readonly number[] | null,
): Promise<MatchFacts[]> =>
  (
    await sql<MatchFacts>`select m.subject_id, m.kind, m.at, m.party, m.pool_id, m.number_id, n.number,
        m.source_key, m.source_label, m.campaign, m.landing_url, v.region, m.device, m.visit_id
      from tracking_match m
      join number n on n.company_id = m.company_id and n.id = m.number_id
      left join tracking_visit v on v.company_id = m.company_id and v.id = m.visit_id
      where m.company_id = ${companyId} and m.kind = any (${[...filters.kinds]}::text[])
        and ${filters.poolId ? sql`m.pool_id = ${filters.poolId}` : sql`true`}
        and ${filters.source ? sql`m.source_key = ${filters.source}` : sql`true`}
        and ${isOn(sql`m.landing_url`, filters)}
        and ${among(sql`m.number_id`, only)}
      order by m.at desc, m.id desc limit ${feedSize}`.execute(tx)
  ).rows;

/** Forms that were sent in these visits, while their events are kept. */
export const formsOfVisits = async (tx: Tx, companyId: number, visitIds: readonly number[]) =>
  (
    await sql<{ visit_id: number; at: Date; url: string | null; data: Hit['data'] }>`
      select visit_id, at, url, data from tracking_hit
      where company_id = ${companyId} and visit_id = any (${[...visitIds]}::bigint[])
        and kind = 'event' and name = 'form' order by at desc limit ${feedSize}`.execute(tx)
  ).rows;
