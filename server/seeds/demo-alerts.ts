import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';
import { hashToken, randomToken } from '../src/platform/secrets.ts';

const HOUR = 3_600_000;

/**
 * Alerts that are over or looked into. Those that are open are found by the first check, which is due
 * at once: a rejected registration, ports that wait for papers, a key that nothing uses, and a number
 * that an outside phone reported as spam.
 */
export async function seedAlerts(tx: Tx, companyId: number, now: Date): Promise<void> {
  const before = (hours: number): Date => new Date(now.getTime() - hours * HOUR);
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
      ('missed_rate_high', 'warning', 'resolved', '9 of 16 calls today were missed.',
        '{"name":"missed","value":56,"threshold":40,"unit":"%","window":"today"}',
        ${before(53)}, ${before(50)}, 4, null),
      ('spam_wave', 'info', 'dismissed', '24 blocked calls in 15 minutes.',
        '{"name":"blocked calls","value":24,"threshold":20,"unit":"calls","window":"15 minutes"}',
        ${before(400)}, ${before(399)}, 2, 'already-aware')
    ) a (kind, severity, state, message, metric, first_at, last_at, n, reason)
    where c.id = ${companyId} returning id, state`.execute(tx);
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
        ('missed_rate_high', '{44,50,53,56}'), ('spam_wave', '{21,24}')) s (kind, measured)
      on s.kind = a.kind cross join lateral unnest(s.measured) with ordinality m (value, n)
    where a.company_id = ${companyId}`.execute(tx);
  await seedSpamLabel(tx, companyId, before(3));
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
