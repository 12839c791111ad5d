import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';
import type { SeedCompany } from './demo-rows.ts';
import { badMorning } from './demo-week.ts';
import { hashToken, randomToken } from '../src/platform/secrets.ts';

const HOUR = 3_600_000;

/**
 * Alerts that are over or looked into. Those that are open are found by the first check, which is due
 * at once: a rejected registration, ports that wait for papers, a key that nothing uses, and a number
 * that an outside phone reported as spam.
 */
export async function seedAlerts(
  tx: Tx,
  { id: companyId, rhythm }: SeedCompany,
  now: Date,
): Promise<void> {
  const before = (hours: number): Date => new Date(now.getTime() - hours * HOUR);
  const missed = await missedThatMorning(tx, companyId, badMorning(rhythm, now.getTime()));
  const last = missed.at(-1);
  const { rows } = await sql<{ id: number; state: string }>`
    insert into alert (company_id, kind, severity, state, subject_type, subject_id, subject_label,
        message, metric, first_seen_at, last_seen_at, occurrences, resolved_at, reason, created_at)
    select c.id, a.kind, a.severity, a.state, 'company', c.id, c.name, a.message, a.metric::jsonb,
      a.first_at, a.last_at, a.n, case when a.state in ('resolved', 'dismissed') then a.last_at end,
      a.reason, a.first_at
    from company c, (values
      ('sms_delivery_low', 'warning', 'acknowledged', '46 of 55 texts were delivered in 24 hours.',
        '{"name":"delivered","value":84,"threshold":90,"unit":"%","window":"24 hours"}',
        ${before(5)}::timestamptz, ${before(1)}::timestamptz, 5, null::text),
      ('missed_rate_high', 'warning', 'resolved', ${`${last?.missed} of ${last?.calls} calls today were missed.`},
        ${JSON.stringify({ name: 'missed', value: last?.percent, threshold: 40, unit: '%', window: 'today' })},
        ${missed[0]?.at ?? null}::timestamptz, ${last?.at ?? null}::timestamptz, ${missed.length}, null),
      ('spam_wave', 'info', 'dismissed', '24 blocked calls in 15 minutes.',
        '{"name":"blocked calls","value":24,"threshold":20,"unit":"calls","window":"15 minutes"}',
        ${before(400)}, ${before(399)}, 2, 'already-aware')
    ) a (kind, severity, state, message, metric, first_at, last_at, n, reason)
    where c.id = ${companyId} and a.n > 0 returning id, state`.execute(tx);
  await sql`insert into personal_access_token (company_id, person_id, name, prefix, hash, scopes,
      created_at)
    select m.company_id, m.user_id, 'Old website', 'tl_demo', ${hashToken(randomToken('tl'))},
      '{read}', ${before(24 * 140)}
    from membership m
    where m.company_id = ${companyId} and m.role = 'owner' order by m.user_id limit 1`.execute(tx);
  await sql`insert into alert_check (company_id, five_minutes_at, quarter_at, hour_at, day_at)
    values (${companyId}, ${before(25)}, ${before(25)}, ${before(25)}, ${before(25)})
    on conflict do nothing`.execute(tx);
  for (const { id, state } of rows)
    await sql`insert into alert_change (company_id, alert_id, at, from_state, to_state, metric,
        actor_id, actor_name)
      select company_id, id, first_seen_at, null, 'open', metric, null, null from alert
      where company_id = ${companyId} and id = ${id}
      union all
      select a.company_id, a.id, a.last_seen_at, 'open', ${state}, null, p.id,
        p.first_name || ' ' || p.last_name
      from alert a left join membership m on m.company_id = a.company_id and m.role = 'owner'
          and a.state <> 'resolved'
        left join person p on p.id = m.user_id
      where a.company_id = ${companyId} and a.id = ${id} limit 2`.execute(tx);
  await sql`insert into alert_sample (company_id, alert_id, at, value)
    select a.company_id, a.id,
      a.first_seen_at + (a.last_seen_at - a.first_seen_at) * (m.n - 1) / a.occurrences, m.value
    from alert a join (values ('sms_delivery_low', '{89,86,87,85,84}'::int[]),
        ('missed_rate_high', ${missed.map(({ percent }) => percent)}::int[]), ('spam_wave', '{21,24}')) s (kind, measured)
      on s.kind = a.kind cross join lateral unnest(s.measured) with ordinality m (value, n)
    where a.company_id = ${companyId}`.execute(tx);
  await seedSpamLabel(tx, companyId, before(3));
}

/** What the hourly check found on the bad morning: the calls since midnight, at the end of each hour. */
async function missedThatMorning(
  tx: Tx,
  companyId: number,
  { from, to }: { from: number; to: number },
): Promise<{ at: Date; calls: number; missed: number; percent: number }[]> {
  const { rows } = await sql<{ at: Date; calls: number; missed: number; percent: number }>`
    select h.at, f.calls, f.missed, round(100.0 * f.missed / f.calls)::int percent
    from generate_series(${new Date(from + HOUR)}::timestamptz, ${new Date(to)}, '1 hour') h (at),
      lateral (select count(*)::int calls, (count(*) filter (where outcome = 2))::int missed
        from call where company_id = ${companyId} and not outbound
          and started_at >= ${new Date(from - 10 * HOUR)} and started_at < h.at) f
    where f.missed > 0.4 * f.calls order by h.at`.execute(tx);
  return rows;
}

/** The sandbox's network shows calls from one number as spam: an outside phone reported it. */
async function seedSpamLabel(tx: Tx, companyId: number, at: Date): Promise<void> {
  await sql`update number set spam_status = 'clean', spam_checked_at = ${at}
    where company_id = ${companyId} and status = 'active' and category <> 3`.execute(tx);
  await sql`with reported as (
      update number set spam_status = 'flagged', spam_labels = '{"Sandbox Mobile (simulated)"}'
      where company_id = ${companyId} and status = 'active' and label = 'Reminders'
      returning number)
    insert into sandbox.spam_report (number, phone, at)
    select number, '+12125550147', ${at} from reported on conflict do nothing`.execute(tx);
}
