/** Rules about tracking: numbers on websites, and which calls can be told to come from where. */
import { sql } from 'kysely';
import { aboutCompany, type Finding, type Look, type Rule } from './finding.ts';
import { switchedOn } from './store-script.ts';

/** With fewer visitors usual at this time of day, silence says nothing. */
const fewestUsualVisits = 8;
interface PoolVisits {
  id: number;
  name: string;
  /** Visits of the last 24 hours before the last number shown; 334 stands for more. */
  daily: number;
  last_at: Date | null;
}
/** How long a pool may show no number: the more visitors a day, the shorter. Minutes. */
const patience = (daily: number): number => (daily < 100 ? 240 : daily <= 333 ? 60 : 15);

/**
 * Visitors of a pool's websites see no number any more, although some usually come at this time of
 * day; or none ever did, twenty minutes after the pool was made.
 */
export const poolNotSwapping: Rule = async (look) => {
  const { tx, company, now } = look;
  const { rows } = await sql<PoolVisits>`
    select p.id, p.name, last.at as last_at,
      (select count(*)::int from (select from tracking_visit v
        where v.company_id = p.company_id and v.pool_id = p.id
          and v.started_at > last.at - interval '1 day' and v.started_at <= last.at
        limit 334) lately) as daily
    from tracking_pool p
    left join lateral (
      select v.started_at as at from tracking_visit v
      where v.company_id = p.company_id and v.pool_id = p.id and v.outcome <> 'none'
      order by v.started_at desc limit 1) last on true
    where p.company_id = ${company.id} and p.status = 'active' and p.deleted_at is null
      and p.created_at <= ${now}::timestamptz - interval '20 minutes'
      and exists (select from tracking_pool_number n
        where n.company_id = p.company_id and n.pool_id = p.id)
      -- The numbers of sources may be printed, and never be on a website.
      and (last.at is not null or p.mode = 'visitor')
      and ${switchedOn(look)}`.execute(tx);
  const found: Finding[] = [];
  for (const pool of rows) {
    const finding = await silenceOf(look, pool);
    if (finding) found.push(finding);
  }
  return found;
};

async function silenceOf(look: Look, pool: PoolVisits): Promise<Finding | null> {
  const about = { subjectId: pool.id, label: pool.name };
  if (pool.last_at === null)
    return {
      ...about,
      message: 'No visitor has seen one of its numbers yet.',
      metric: { name: 'visitors', value: 0, threshold: 1, unit: 'visitors', window: 'ever' },
    };
  const minutes = Math.floor((look.now.getTime() - pool.last_at.getTime()) / 60_000);
  const threshold = patience(pool.daily);
  if (minutes < threshold || (await usualVisits(look, pool.id, pool.last_at)) < fewestUsualVisits)
    return null;
  return {
    ...about,
    message: `No visitor has seen one of its numbers for ${inWords(minutes)}.`,
    metric: { name: 'without a visitor', value: minutes, threshold, unit: 'minutes', window: '' },
  };
}
const inWords = (minutes: number): string => {
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
};

/**
 * Visitors of a pool that usually come in the time since it was last seen: the mean of the same time
 * of day on the seven days before. Of a longer silence, its first 24 hours.
 */
async function usualVisits({ tx, company, now }: Look, poolId: number, lastAt: Date) {
  const { rows } = await sql<{ mean: number }>`
    select (count(v.id) / 7.0)::float8 as mean
    from generate_series(1, 7) day
    join tracking_visit v on v.company_id = ${company.id} and v.pool_id = ${poolId}
      and v.started_at > ${lastAt}::timestamptz - day * interval '1 day'
      and v.started_at <= least(${now}::timestamptz, ${lastAt}::timestamptz + interval '1 day')
        - day * interval '1 day'`.execute(tx);
  return rows[0]?.mean ?? 0;
}

const fewestNumbers = 5;
/** Leases that are looked at; a pool with more isn't oversized. */
const mostLeases = 100_000;
/** Of five or more numbers, fewer than a fifth (a setting) were ever in use at once in 30 days. */
export const poolOversized: Rule = async ({ tx, company, now, limits }) => {
  const most = limits.alert_pool_oversized_percent;
  const { rows } = await sql<{ id: number; name: string; numbers: number; busiest: number }>`
    select p.id, p.name, size.n as numbers, coalesce(busiest.n, 0)::int as busiest
    from tracking_pool p
    cross join lateral (
      select count(*)::int as n from tracking_pool_number n
      where n.company_id = p.company_id and n.pool_id = p.id) size
    cross join lateral (
      select max(total) as n, max(leases) as leases from (
        select sum(step) over (order by at, step rows unbounded preceding) as total,
          count(*) over () / 2 as leases
        from (
          select l.started_at, least(coalesce(l.ended_at, l.ends_at), l.ends_at) as over_at
          from tracking_lease l
          where l.company_id = p.company_id and l.pool_id = p.id and not l.is_shared
            and l.started_at >= ${now}::timestamptz - interval '30 days'
          limit ${mostLeases}) lease,
          lateral (values (lease.started_at, 1), (lease.over_at, -1)) as moment (at, step)) sweep
    ) busiest
    where p.company_id = ${company.id} and p.status = 'active' and p.deleted_at is null
      and p.mode = 'visitor' and p.created_at <= ${now}::timestamptz - interval '30 days'
      and size.n >= ${fewestNumbers} and coalesce(busiest.leases, 0) < ${mostLeases}
      and coalesce(busiest.n, 0) * 100 < ${most} * size.n`.execute(tx);
  return rows.map(({ id, name, numbers, busiest }): Finding => ({
    subjectId: id,
    label: name,
    message: `At most ${busiest} of its ${numbers} numbers were in use at once in 30 days.`,
    metric: {
      name: 'numbers in use',
      value: Math.round((busiest / numbers) * 100),
      threshold: most,
      unit: '%',
      window: '30 days',
    },
  }));
};

const fewestMatched = 20;
interface Shares {
  calls: number;
  exact: number;
  unknown: number;
  calls_before: number;
  exact_before: number;
  unknown_before: number;
}
/**
 * Calls to tracking numbers in the last day and the seven days before, in percent: those of one
 * certain visitor, and those without a known source. Null: too few calls to compare.
 */
async function sharesOfCalls({ tx, company, now }: Look) {
  const { rows } = await sql<Shares>`
    with matched as (
      select c.started_at >= ${now}::timestamptz - interval '1 day' as today,
        m.label = 'exact' as exact, m.source_key in ('direct', 'unknown') as unknown
      from call c
      join tracking_match m on m.company_id = c.company_id and m.kind = 'call'
        and m.subject_id = c.id
      where c.company_id = ${company.id} and not c.outbound
        and c.started_at >= ${now}::timestamptz - interval '8 days')
    select count(*) filter (where today)::int as calls,
      count(*) filter (where today and exact)::int as exact,
      count(*) filter (where today and unknown)::int as unknown,
      count(*) filter (where not today)::int as calls_before,
      count(*) filter (where not today and exact)::int as exact_before,
      count(*) filter (where not today and unknown)::int as unknown_before
    from matched`.execute(tx);
  const [row] = rows;
  if (!row || row.calls < fewestMatched || row.calls_before < fewestMatched) return null;
  const percent = (part: number, whole: number): number => Math.round((part / whole) * 100);
  return {
    exact: percent(row.exact, row.calls),
    exactBefore: percent(row.exact_before, row.calls_before),
    unknown: percent(row.unknown, row.calls),
    unknownBefore: percent(row.unknown_before, row.calls_before),
  };
}

/** The share of calls of one certain visitor is 30 points (a setting) lower than in the week before. */
export const attributionDrop: Rule = async (look) => {
  const shares = await sharesOfCalls(look);
  const fall = look.limits.alert_matched_points;
  if (!shares || shares.exactBefore - shares.exact < fall) return [];
  return aboutCompany(
    look,
    `${shares.exact}% of the last day’s calls are matched to one visitor, ${shares.exactBefore}% in the week before.`,
    {
      name: 'matched to one visitor',
      value: shares.exact,
      threshold: shares.exactBefore - fall,
      unit: '%',
      window: '24 hours',
    },
  );
};

/** The share of calls without a known source is 25 points (a setting) higher than in the week before. */
export const sourceUnknownSpike: Rule = async (look) => {
  const shares = await sharesOfCalls(look);
  const rise = look.limits.alert_unknown_points;
  if (!shares || shares.unknown - shares.unknownBefore < rise) return [];
  return aboutCompany(
    look,
    `${shares.unknown}% of the last day’s calls have no known source, ${shares.unknownBefore}% in the week before.`,
    {
      name: 'no known source',
      value: shares.unknown,
      threshold: shares.unknownBefore + rise,
      unit: '%',
      window: '24 hours',
    },
  );
};
