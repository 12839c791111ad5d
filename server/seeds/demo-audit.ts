import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';

const DAY = 86_400_000;

/**
 * What was changed in a company in the last three months, by the people who would have: what the demo
 * has, as if it had been made on screen.
 */
export async function seedAudit(
  tx: Tx,
  companyId: number,
  by: { owner: number; administrator: number },
  now: Date,
): Promise<void> {
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
  await sql`
    with made (days, actor, action, subject, before, after) as (
      select extract(day from ${now}::timestamptz - n.purchased_at)::float8, ${by.owner}::bigint,
        'number.purchased', 'number:' || n.id, null::jsonb, jsonb_build_object('number', n.number)
      from number n where n.company_id = ${companyId} and n.label <> ''
      union all
      select 60 + row_number() over (order by m.user_id), ${by.owner}, 'user.role_changed',
        'user:' || m.user_id, '{"role": "user"}', jsonb_build_object('role', m.role)
      from membership m
      where m.company_id = ${companyId} and m.role in ('billing', 'reporting')
      union all
      select 12 + 5 * row_number() over (order by t.id), ${by.administrator}, 'tags.created',
        'tag:' || t.id, null, jsonb_build_object('name', t.name)
      from tag t where t.company_id = ${companyId} and t.deleted_at is null
      union all
      select 8 + 9 * row_number() over (order by n.id), ${by.administrator}, 'flow.saved',
        'number:' || n.id, null, null
      from number n where n.company_id = ${companyId} and n.label <> ''
      union all
      select c.days, c.actor, c.action, 'company:' || ${companyId}, c.before::jsonb, c.after::jsonb
      from (values
        (41.1::float8, ${by.owner}::bigint, 'settings.updated', '{"recording_retention_days": 365}',
          '{"recording_retention_days": 730}'),
        (33.2, ${by.administrator}, 'schedule.changed', null, null),
        (19.4, ${by.administrator}, 'invitation.sent', null, '{"email": "front.desk@demo.test"}'),
        (6.3, ${by.owner}, 'settings.updated', '{"alert_missed_percent": 40}',
          '{"alert_missed_percent": 35}'),
        (2.1, ${by.administrator}, 'contacts.import_begun', null, '{"name": "patients.csv"}')
      ) c (days, actor, action, before, after)
    ), timed as (
      select made.*, date_trunc('day', ${now}::timestamptz - least(days, 89) * interval '1 day')
        + interval '14 hours' + (row_number() over (order by days) * 37 % 420) * interval '1 minute'
        as at
      from made
    )
    insert into audit_log (company_id, at, actor_id, actor_kind, action, subject, before, after, ip,
      user_agent)
    select ${companyId}, at, actor, 'user', action, subject, before, after,
      case when actor = ${by.owner} then '203.0.113.24' else '203.0.113.61' end, ${chrome}
    from timed
    where at between ${new Date(now.getTime() - 90 * DAY)} and ${now} order by at`.execute(tx);
}
