/** Rules about single numbers and the calls of the last minutes. */
import { sql } from 'kysely';
import { formatPhone } from '#contract/phone';
import { aboutCompany, type Finding, type Rule } from './finding.ts';

const fewestCalls = 10;

interface NumberFound {
  id: number;
  number: string;
  label: string;
  n: number;
}
const nameOf = ({ number, label }: NumberFound): string => label || formatPhone(number);

/** No call for seven days (a setting) to a number that was called at least daily in the two months before. */
export const numberSilent: Rule = async ({ tx, company, now, limits }) => {
  const days = limits.alert_number_silent_days;
  const { rows } = await sql<NumberFound>`
    with hours as (
      select number_id, hour, hour - lag(hour) over (partition by number_id order by hour) as gap
      from figure_hour
      where company_id = ${company.id} and number_id > 0 and calls > 0
        and hour >= ${now}::timestamptz - make_interval(days => ${60 + days})
    ), busy as (
      select number_id, max(hour) as last_at from hours group by number_id
      having count(*) >= 30
        and percentile_cont(0.5) within group (order by gap) < interval '1 day'
    )
    select n.id, n.number, n.label,
      extract(day from ${now}::timestamptz - b.last_at)::int as n
    from busy b join number n on n.company_id = ${company.id} and n.id = b.number_id
    where b.last_at < ${now}::timestamptz - make_interval(days => ${days}) and n.status = 'active'`.execute(
    tx,
  );
  return rows.map((row): Finding => ({
    subjectId: row.id,
    label: nameOf(row),
    message: `No call for ${row.n} days. It usually gets one every day.`,
    metric: {
      name: 'days without a call',
      value: row.n,
      threshold: days,
      unit: 'days',
      window: '',
    },
  }));
};

const shortSeconds = 10;
/** Five answered calls (a setting) of under ten seconds to a number within a quarter of an hour. */
export const shortCalls: Rule = async ({ tx, company, now, limits }) => {
  const fewest = limits.alert_short_calls;
  const { rows } = await sql<NumberFound>`
    select n.id, n.number, n.label, count(*)::int as n
    from call c join number n on n.company_id = c.company_id and n.id = c.number_id
    where c.company_id = ${company.id} and c.started_at >= ${now}::timestamptz - interval '15 minutes'
      and not c.outbound and c.outcome = 1 and c.ended_at is not null
      and c.talk_seconds < ${shortSeconds}
    group by n.id, n.number, n.label having count(*) >= ${fewest}`.execute(tx);
  return rows.map((row): Finding => ({
    subjectId: row.id,
    label: nameOf(row),
    message: `${row.n} calls were answered and ended within ${shortSeconds} seconds.`,
    metric: {
      name: 'short calls',
      value: row.n,
      threshold: fewest,
      unit: 'calls',
      window: '15 minutes',
    },
  }));
};

/** Networks show calls from a number as spam, as the daily check of its labels found. */
export const numberReputation: Rule = async ({ tx, company }) => {
  const { rows } = await sql<NumberFound & { labels: string[] }>`
    select id, number, label, cardinality(spam_labels)::int as n, spam_labels as labels from number
    where company_id = ${company.id} and spam_status = 'flagged' and status = 'active'
    order by id`.execute(tx);
  return rows.map((row): Finding => ({
    subjectId: row.id,
    label: nameOf(row),
    message: `Its calls show as spam: ${row.labels.join(', ')}.`,
    metric: {
      name: 'spam labels',
      value: row.n,
      threshold: 1,
      unit: row.n === 1 ? 'network' : 'networks',
      window: 'last check',
    },
  }));
};

/** Twenty (a setting) blocked or spam calls within a quarter of an hour. */
export const spamWave: Rule = async (look) => {
  const { tx, company, now } = look;
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from call
    where company_id = ${company.id} and started_at >= ${now}::timestamptz - interval '15 minutes'
      and not outbound and (outcome = 4 or spam)`.execute(tx);
  const n = rows[0]?.n ?? 0;
  const fewest = look.limits.alert_spam_calls;
  if (n < fewest) return [];
  return aboutCompany(look, `${n} blocked calls in 15 minutes.`, {
    name: 'blocked calls',
    value: n,
    threshold: fewest,
    unit: 'calls',
    window: '15 minutes',
  });
};

/** A forwarding destination that left 90 % (a setting) of ten or more calls unanswered. */
export const forwardFailing: Rule = async ({ tx, company, now, limits }) => {
  const least = limits.alert_forward_failing_percent;
  const { rows } = await sql<{ id: number; name: string; tries: number; failed: number }>`
    select f.id, f.name, count(*)::int as tries,
      count(*) filter (where not a.answered)::int as failed
    from forward_attempt a
    join forward_contact f on f.company_id = a.company_id and f.id = a.contact_id
    where a.company_id = ${company.id} and a.at >= ${now}::timestamptz - interval '24 hours'
    group by f.id, f.name
    having count(*) >= ${fewestCalls}
      and count(*) filter (where not a.answered) * 100 >= ${least} * count(*)`.execute(tx);
  return rows.map(({ id, name, tries, failed }): Finding => ({
    subjectId: id,
    label: name,
    message: `${failed} of ${tries} calls to it in 24 hours weren’t answered.`,
    metric: {
      name: 'unanswered',
      value: Math.round((failed / tries) * 100),
      threshold: least,
      unit: '%',
      window: '24 hours',
    },
  }));
};

const fewestTranscripts = 20;
/** More than 5 % (a setting) of a day's transcripts failed. */
export const transcriptionFailing: Rule = async (look) => {
  const { tx, company, now } = look;
  const { rows } = await sql<{ total: number; failed: number }>`
    select count(*)::int as total, count(*) filter (where state = 'failed')::int as failed
    from transcription
    where company_id = ${company.id} and state in ('ready', 'failed')
      and created_at >= ${now}::timestamptz - interval '24 hours'`.execute(tx);
  const { total = 0, failed = 0 } = rows[0] ?? {};
  const value = total ? Math.round((failed / total) * 100) : 0;
  if (total < fewestTranscripts || value <= look.limits.alert_transcripts_percent) return [];
  return aboutCompany(look, `${failed} of ${total} transcripts failed in 24 hours.`, {
    name: 'failed transcripts',
    value,
    threshold: look.limits.alert_transcripts_percent,
    unit: '%',
    window: '24 hours',
  });
};

const fewestRecordings = 20;
/** More than 5 % (a setting) of a day's recordings failed, or didn't come within an hour. */
export const recordingMissing: Rule = async (look) => {
  const { tx, company, now } = look;
  const { rows } = await sql<{ total: number; missing: number }>`
    select count(*)::int as total,
      count(*) filter (where r.state in ('failed', 'pending'))::int as missing
    from call c join recording r on r.company_id = c.company_id and r.call_id = c.id
    where c.company_id = ${company.id} and c.started_at >= ${now}::timestamptz - interval '24 hours'
      and c.ended_at < ${now}::timestamptz - interval '1 hour'`.execute(tx);
  const { total = 0, missing = 0 } = rows[0] ?? {};
  const value = total ? Math.round((missing / total) * 100) : 0;
  if (total < fewestRecordings || value <= look.limits.alert_recordings_percent) return [];
  return aboutCompany(look, `${missing} of ${total} recordings of the last 24 hours are missing.`, {
    name: 'missing recordings',
    value,
    threshold: look.limits.alert_recordings_percent,
    unit: '%',
    window: '24 hours',
  });
};
