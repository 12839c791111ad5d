/** Rules about what a company has to do: ports, pools, connected accounts, keys. */
import { sql } from 'kysely';
import { formatMoney } from '#contract';
import { aboutCompany, type Finding, type Rule } from './finding.ts';

const waiting = { name: 'waiting', value: 1, threshold: 0, unit: '', window: '' };

/** A port request that was rejected, or for which the carrier wants documents. */
export const portActionRequired: Rule = async ({ tx, company }) => {
  const { rows } = await sql<{ id: number; name: string; rejected: boolean }>`
    select id, coalesce(nullif(entity_name, ''), losing_carrier) as name,
      status = 'rejected' as rejected
    from port_request
    where company_id = ${company.id} and status in ('documentsRequested', 'rejected')`.execute(tx);
  return rows.map(({ id, name, rejected }): Finding => ({
    subjectId: id,
    label: name,
    message: rejected
      ? 'The carrier rejected it. Correct it and submit it again.'
      : 'The carrier asks for documents.',
    metric: waiting,
  }));
};

const mostExhausted = 2;
/** Five visitors in an hour (a setting), or more than 2 % of fifty, got no number of a pool for themselves. */
export const poolExhausted: Rule = async ({ tx, company, now, limits }) => {
  const fewest = limits.alert_pool_exhausted;
  const { rows } = await sql<{ id: number; name: string; total: number; n: number }>`
    select p.id, p.name, count(*)::int as total,
      count(*) filter (where v.outcome in ('exhausted', 'shared'))::int as n
    from tracking_visit v
    join tracking_pool p on p.company_id = v.company_id and p.id = v.pool_id
    where v.company_id = ${company.id} and v.started_at >= ${now}::timestamptz - interval '1 hour'
      and p.deleted_at is null
    group by p.id, p.name
    having count(*) filter (where v.outcome in ('exhausted', 'shared')) >= ${fewest}
      or count(*) >= 50 and count(*) filter (where v.outcome in ('exhausted', 'shared')) * 100
        > ${mostExhausted} * count(*)`.execute(tx);
  return rows.map(({ id, name, total, n }): Finding => ({
    subjectId: id,
    label: name,
    message: `${n} of ${total} visitors in the last hour found no free number.`,
    metric: {
      name: 'visitors without a number',
      value: n,
      threshold: fewest,
      unit: 'visitors',
      window: 'last hour',
    },
  }));
};

/** Failed deliveries in a row after which a destination counts as broken. */
const fewestFailures = 3;
/**
 * A connected account that fails or has to be connected again, and a place to deliver to that fails
 * or refused something for good, also once it was turned off because it failed.
 */
export const integrationError: Rule = async ({ tx, company }) => {
  const { rows } = await sql<{ id: number; name: string; again: boolean; error: string | null }>`
    select id, provider || ': ' || account_name as name, status = 'needs_reconnect' as again,
      last_error as error
    from connection
    where company_id = ${company.id} and status in ('failing', 'needs_reconnect')
    union all
    select d.id, d.name, false, d.last_error
    from destination d
    where d.company_id = ${company.id} and d.failures > 0
      and (d.status = 'active' or d.off_because = 'failing')
      and (d.off_because = 'failing' or d.failures >= ${fewestFailures} or exists (select from delivery l
        where l.company_id = d.company_id and l.destination_id = d.id and l.state = 'dead'
          and l.created_at >= coalesce(d.last_sent_at, d.created_at)))`.execute(tx);
  return rows.map(({ id, name, again, error }): Finding => ({
    subjectId: id,
    label: name,
    message: again ? 'It has to be connected again.' : (error ?? 'It doesn’t answer.'),
    metric: { name: 'failing', value: 1, threshold: 0, unit: '', window: '' },
  }));
};

const usualDays = 5;
const fewestCallsMeanwhile = 5;
/**
 * A place to deliver to that got nothing for a day (a setting), although the company had calls and
 * something had been delivered on five of the seven days before.
 */
export const integrationSilent: Rule = async ({ tx, company, now, limits }) => {
  const hours = limits.alert_integration_silent_hours;
  const { rows } = await sql<{ id: number; name: string; hours: number }>`
    select d.id, d.name,
      floor(extract(epoch from ${now}::timestamptz - d.last_sent_at) / 3600)::int as hours
    from destination d
    where d.company_id = ${company.id} and d.status = 'active' and d.failures = 0
      and d.last_sent_at < ${now}::timestamptz - make_interval(hours => ${hours})
      and (select count(distinct date_trunc('day', l.sent_at)) from delivery l
        where l.company_id = d.company_id and l.destination_id = d.id and l.state = 'sent'
          and l.created_at > d.last_sent_at - interval '7 days') >= ${usualDays}
      and (select coalesce(sum(f.calls), 0) from figure_hour f
        where f.company_id = d.company_id and f.number_id = 0
          and f.hour > greatest(d.last_sent_at, ${now}::timestamptz - interval '24 hours'))
        >= ${fewestCallsMeanwhile}`.execute(tx);
  return rows.map(({ id, name, hours: silent }): Finding => ({
    subjectId: id,
    label: name,
    message: `Nothing was delivered for ${silent} hours. It usually gets something every day.`,
    metric: { name: 'silent', value: silent, threshold: hours, unit: 'hours', window: '' },
  }));
};

/** An endpoint of webhooks to which deliveries of the last day were given up. */
export const webhookDead: Rule = async ({ tx, company, now }) => {
  const { rows } = await sql<{ id: number; name: string; n: number }>`
    select d.id, d.name, count(*)::int as n
    from destination d join delivery l
      on l.company_id = d.company_id and l.destination_id = d.id and l.state = 'dead'
    where d.company_id = ${company.id} and d.provider = 'webhooks'
      and l.created_at >= ${now}::timestamptz - interval '2 days'
    group by d.id, d.name`.execute(tx);
  return rows.map(({ id, name, n }): Finding => ({
    subjectId: id,
    label: name,
    message: n === 1 ? 'One event wasn’t delivered.' : `${n} events weren’t delivered.`,
    metric: { name: 'events', value: n, threshold: 0, unit: 'events', window: '2 days' },
  }));
};

/** People with API keys that nothing has used for 90 days (a setting). */
export const apiKeyUnused: Rule = async ({ tx, company, now, limits }) => {
  const days = limits.alert_key_unused_days;
  const { rows } = await sql<{ id: number; name: string; n: number }>`
    select person_id as id, left(string_agg(name, ', ' order by name), 120) as name,
      count(*)::int as n
    from personal_access_token
    where company_id = ${company.id}
      and coalesce(last_used_at, created_at)
        < ${now}::timestamptz - make_interval(days => ${days})
      and (expires_at is null or expires_at > ${now})
    group by person_id`.execute(tx);
  return rows.map(({ id, name, n }): Finding => ({
    subjectId: id,
    label: name,
    message:
      n === 1
        ? `One API key was not used for ${days} days.`
        : `${n} API keys were not used for ${days} days.`,
    metric: { name: 'unused keys', value: n, threshold: 1, unit: 'keys', window: `${days} days` },
  }));
};

/** A plan whose last charge failed, until it is paid; also when it ended unpaid. */
export const paymentFailed: Rule = async (look) => {
  const { rows } = await sql<{ owed: number; reason: string | null; days: number }>`
    select s.state_reason as reason,
      extract(day from ${look.now}::timestamptz - s.past_due_since)::int as days,
      (select coalesce(sum(e.amount_cents), 0)::bigint from ledger_entry e
        where e.company_id = s.company_id) as owed
    from subscription s
    where s.company_id = ${look.company.id} and s.past_due_since is not null
      and s.state in ('retry_period', 'expired')`.execute(look.tx);
  const [row] = rows;
  if (!row || row.owed <= 0) return [];
  const { owed, reason, days } = row;
  return aboutCompany(
    look,
    `${formatMoney(owed)} couldn’t be charged.${reason ? ` ${reason}` : ''}`,
    {
      name: 'outstanding balance',
      value: owed / 100,
      threshold: 0,
      unit: 'USD',
      window: days === 1 ? '1 day past due' : `${days} days past due`,
    },
  );
};
