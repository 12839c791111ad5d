import type { MatchKind } from '#contract/tracking/match-rules';
import type { attributionModels, PoolMode } from '#contract/tracking/pool-rules';
import { sql, type Selectable } from 'kysely';
import { prepared, type Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type MatchRow = Selectable<Tables['tracking_match']>;

/** A call or text: which of our numbers, and who. */
export interface Contact {
  numberId: number;
  party: string;
}
/** What a match copies from a visit. Times are in JSON, so they are text. */
export interface VisitFacts {
  id: number;
  visitor_id: string | null;
  started_at: string;
  url: string;
  referrer: string | null;
  source_id: number;
  source_key: string;
  source_label: string;
  medium: string | null;
  campaign: string | null;
  term: string | null;
  content: string | null;
  click_ids: Record<string, string>;
  rule_id: string;
  evidence: string;
  device: 'desktop' | 'mobile' | 'tablet';
  region: string | null;
}
type Model = (typeof attributionModels)[number];
export interface PossibleLease {
  id: number;
  pool_id: number;
  model: Model;
  window_hours: number;
  is_shared: boolean;
  started_at: string;
  last_seen_at: string;
  over_at: string;
  visit: VisitFacts;
}
export interface Clues {
  /** The place of the contact in the question, from 1. */
  n: number;
  /** The number that was called or texted. */
  number: string;
  pool_id: number | null;
  mode: PoolMode | null;
  model: Model | null;
  /** The pool speaks the source to who answers. */
  is_whispered: boolean | null;
  leases: PossibleLease[] | null;
  /** Who the caller was in the last exact match, and when. */
  known_visitor: string | null;
  known_at: Date | null;
  /** That visitor's last visit in the time that the pool looks back. */
  known_visit: VisitFacts | null;
}
/** The longest window of a pool, and the longest that a lease runs. */
const [MOST_WINDOW_HOURS, LEASE_HOURS] = [720, 12];
/** Visitors of one number that are considered at most. */
const MOST_LEASES = 50;

const visitFacts = sql`json_build_object('id', v.id, 'visitor_id', v.visitor_id,
  'started_at', v.started_at, 'url', v.url, 'referrer', v.referrer, 'source_id', v.source_id,
  'source_key', v.source_key, 'source_label', v.source_label, 'medium', v.medium,
  'campaign', v.campaign, 'term', v.term, 'content', v.content, 'click_ids', v.click_ids,
  'rule_id', v.rule_id, 'evidence', v.evidence, 'device', v.device,
  'region', v.region)`;

/**
 * What is known about where these calls or texts came from, in one statement of index look-ups.
 * Numbers that are in no pool and were shown to no one lately have no row. Of visitors who saw a number
 * earlier nothing is read while another sees it. A visit begins at most a week before its number is
 * given.
 */
export const cluesOf = async (
  tx: Tx,
  companyId: number,
  contacts: readonly Contact[],
  at: Date,
): Promise<Clues[]> => {
  const now = sql`${at}::timestamptz`;
  const { rows } =
    await sql<Clues>`${prepared}select a.n::int as n, called.number, pool.id as pool_id, pool.mode,
      pool.model, pool.is_whispered, shown.leases, known.visitor_id as known_visitor, known.at as known_at,
      back.visit as known_visit
    from unnest(${contacts.map((c) => c.numberId)}::bigint[],
      ${contacts.map((c) => c.party)}::text[]) with ordinality a(number_id, party, n)
    join number called on called.company_id = ${companyId} and called.id = a.number_id
    left join lateral (select p.id, p.mode, p.settings ->> 'attributionModel' as model,
        coalesce((p.settings ->> 'whisperSource')::boolean, false) as is_whispered,
        (p.settings ->> 'attributionWindowHours')::int as window_hours,
        (p.settings ->> 'lookbackDays')::int as lookback_days
      from tracking_pool_number s
      join tracking_pool p on p.company_id = s.company_id and p.id = s.pool_id
      where s.company_id = ${companyId} and s.number_id = a.number_id) pool on true
    left join lateral (select json_agg(json_build_object('id', l.id, 'pool_id', l.pool_id,
          'model', p.settings ->> 'attributionModel',
          'window_hours', (p.settings ->> 'attributionWindowHours')::int,
          'is_shared', l.is_shared, 'started_at', l.started_at, 'last_seen_at', l.last_seen_at,
          'over_at', l.over_at, 'visit', ${visitFacts}) order by l.started_at desc) as leases
      from (select *, bool_or(over_at > ${now}) over () as is_shown_now from (
        select t.*, least(t.ended_at, t.expires_at) as over_at from tracking_lease t
        where t.company_id = ${companyId} and t.number_id = a.number_id
          and t.started_at <= ${now} and t.started_at > ${now} - make_interval(
            hours => coalesce(pool.window_hours, ${MOST_WINDOW_HOURS}::int) + ${LEASE_HOURS}::int)
        order by t.started_at desc limit ${MOST_LEASES}::int) latest) l
      join tracking_pool p on p.company_id = ${companyId} and p.id = l.pool_id
      join tracking_visit v on v.company_id = ${companyId} and v.id = l.session_id
        and v.started_at > l.started_at - interval '7 days' and v.started_at <= l.started_at
      where l.over_at > case when l.is_shown_now then ${now} else ${now} - make_interval(
        hours => (p.settings ->> 'attributionWindowHours')::int) end) shown on true
    left join lateral (select m.visitor_id, m.at from tracking_match m
      where m.company_id = ${companyId} and m.party = a.party and m.label = 'exact'
        and m.visitor_id is not null and m.at <= ${now}
      order by m.at desc limit 1) known on a.party like '+%'
    left join lateral (select ${visitFacts} as visit from tracking_visit v
      where v.company_id = ${companyId} and v.visitor_id = known.visitor_id
        and v.started_at <= ${now}
        and v.started_at > ${now} - make_interval(days => coalesce(pool.lookback_days,
          (select (c.settings ->> 'lookback_days')::int from company c where c.id = ${companyId}), 90))
      order by v.started_at desc limit 1) back on true
    where pool.id is not null or shown.leases is not null`.execute(tx);
  return rows;
};

/** Deletes the matches of calls or of texts' items. */
export const deleteMatches = (
  tx: Tx,
  companyId: number,
  kind: MatchKind,
  subjectIds: readonly number[],
) =>
  tx
    .deleteFrom('tracking_match')
    .where('company_id', '=', companyId)
    .where('kind', '=', kind)
    .where('subject_id', 'in', [...subjectIds])
    .execute();

/** The match of a call or of a text's item, with its pool's name. Undefined: none. */
export const matchOf = async (tx: Tx, companyId: number, kind: MatchKind, subjectId: number) =>
  (
    await sql<MatchRow & { pool_name: string | null }>`select m.*, p.name as pool_name
      from tracking_match m
      left join tracking_pool p on p.company_id = m.company_id and p.id = m.pool_id
      where m.company_id = ${companyId} and m.kind = ${kind}
        and m.subject_id = ${subjectId}`.execute(tx)
  ).rows[0];

export type TouchRow = Pick<
  Selectable<Tables['tracking_visit']>,
  | 'id'
  | 'started_at'
  | 'url'
  | 'referrer'
  | 'source_id'
  | 'source_key'
  | 'source_label'
  | 'medium'
  | 'campaign'
  | 'term'
  | 'content'
  | 'page_count'
> & {
  click_ids: Record<string, string>;
  /** Cookies that the pool captures, by name. */
  cookies: Record<string, string>;
};
const touchColumns = sql`id, started_at, url, referrer, source_id, source_key, source_label, medium,
  campaign, term, content, page_count, click_ids, coalesce(captured -> 'cookies', '{}') as cookies`;
/** Visits on the way to a call that are shown at most. */
const MOST_TOUCHES = 200;

/** A visitor's visits in the days before, up to this moment; the oldest first. */
export const visitsBefore = async (
  tx: Tx,
  companyId: number,
  visitorId: string,
  until: Date,
  days: number,
): Promise<TouchRow[]> =>
  (
    await sql<TouchRow>`select ${touchColumns}
      from tracking_visit where company_id = ${companyId} and visitor_id = ${visitorId}
        and started_at <= ${until} and started_at > ${new Date(until.getTime() - days * 86_400_000)}
      order by started_at desc, id desc limit ${MOST_TOUCHES}`.execute(tx)
  ).rows.toReversed();

/** The visit of someone who isn't recognized. Undefined: it is no longer kept. */
export const visitOf = async (tx: Tx, companyId: number, id: number) =>
  (
    await sql<TouchRow>`select ${touchColumns}
      from tracking_visit where company_id = ${companyId} and id = ${id}`.execute(tx)
  ).rows[0];
