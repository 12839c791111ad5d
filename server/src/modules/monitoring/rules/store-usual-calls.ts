/** Rules that read the hourly figures of all calls of a company. */
import { sql } from 'kysely';
import { aboutCompany, type Look, type Rule } from './finding.ts';

const fewestCalls = 10;

/**
 * Whether a company usually works on this day of the week: it gets at least half the calls of an
 * average day then. While it has less than four weeks of history, every day counts.
 */
async function isBusinessDay({ tx, company, now }: Look): Promise<boolean> {
  const { rows } = await sql<{ is_business: boolean }>`
    select min(hour) is null or min(hour) > ${now}::timestamptz - interval '28 days'
      or 14 * coalesce(sum(calls) filter (where
        extract(isodow from hour at time zone ${company.timezone})
        = extract(isodow from ${now}::timestamptz at time zone ${company.timezone})), 0)
        >= sum(calls) as is_business
    from figure_hour
    where company_id = ${company.id} and number_id = 0
      and hour >= ${now}::timestamptz - interval '56 days'
      and hour < ${now}::timestamptz - interval '1 day'`.execute(tx);
  return rows[0]?.is_business ?? true;
}

/** At least 40 % (a setting) of ten or more calls of a business day are missed. */
export const missedRateHigh: Rule = async (look) => {
  const { tx, company, now } = look;
  const least = look.limits.alert_missed_percent;
  const { rows } = await sql<{ calls: number; missed: number }>`
    select coalesce(sum(calls), 0)::int as calls, coalesce(sum(missed), 0)::int as missed
    from figure_hour
    where company_id = ${company.id} and number_id = 0
      and hour >= date_trunc('day', ${now}::timestamptz at time zone ${company.timezone})
        at time zone ${company.timezone}`.execute(tx);
  const { calls = 0, missed = 0 } = rows[0] ?? {};
  const value = calls ? Math.round((missed / calls) * 100) : 0;
  if (calls < fewestCalls || value < least || !(await isBusinessDay(look))) return [];
  return aboutCompany(look, `${missed} of ${calls} calls today were missed.`, {
    name: 'missed',
    value,
    threshold: least,
    unit: '%',
    window: 'today',
  });
};

const weeks = 8;
const fewestUsual = 5;

/**
 * The calls of the last full hour beside the same hour of the week in eight weeks before. Null: the
 * company has no such history, or usually fewer than five calls then.
 */
async function usualHour({ tx, company, now, limits }: Look) {
  const { rows } = await sql<{ calls: number; mean: number; spread: number; since: Date | null }>`
    with last as (
      select date_trunc('hour', ${now}::timestamptz) - interval '1 hour' as hour
    ), before as (
      select coalesce(f.calls, 0) as calls
      from last, generate_series(1, ${weeks}) week
      left join lateral (
        select calls from figure_hour
        where company_id = ${company.id} and number_id = 0
          and hour = ((last.hour at time zone ${company.timezone}) - week * interval '7 days')
            at time zone ${company.timezone}) f on true
    )
    select
      coalesce((select calls from figure_hour, last where company_id = ${company.id}
        and number_id = 0 and figure_hour.hour = last.hour), 0)::int as calls,
      (select avg(calls) from before)::float8 as mean,
      (select coalesce(stddev_samp(calls), 0) from before)::float8 as spread,
      (select min(hour) from figure_hour
        where company_id = ${company.id} and number_id = 0) as since`.execute(tx);
  const [hour] = rows;
  const oldest = now.getTime() - weeks * 7 * 86_400_000;
  if (!hour?.since || hour.since.getTime() > oldest || hour.mean < fewestUsual) return null;
  // Calls vary by their square root anyway: eight weeks that were alike promise nothing.
  // The mean of eight weeks isn't exact either, and what is rare is further above it than below.
  const deviation = Math.max(hour.spread, Math.sqrt(hour.mean)) * Math.sqrt(1 + 1 / weeks);
  const width = limits.alert_calls_deviations * deviation;
  const above = width + width ** 2 / (4 * hour.mean);
  return { calls: hour.calls, mean: hour.mean, least: hour.mean - width, most: hour.mean + above };
}
const usually = (mean: number): string => `usually ${Math.round(mean)}`;

/** Fewer calls in the last hour than three deviations (a setting) below the usual. */
export const callsDrop: Rule = async (look) => {
  const hour = await usualHour(look);
  if (!hour || hour.calls >= hour.least) return [];
  return aboutCompany(look, `${hour.calls} calls in the last hour, ${usually(hour.mean)}.`, {
    name: 'calls',
    value: hour.calls,
    threshold: Math.round(hour.least),
    unit: 'calls',
    window: 'last hour',
  });
};

/** More calls in the last hour than three deviations (a setting) above the usual. */
export const callsSpike: Rule = async (look) => {
  const hour = await usualHour(look);
  if (!hour || hour.calls <= hour.most) return [];
  return aboutCompany(look, `${hour.calls} calls in the last hour, ${usually(hour.mean)}.`, {
    name: 'calls',
    value: hour.calls,
    threshold: Math.round(hour.most),
    unit: 'calls',
    window: 'last hour',
  });
};
