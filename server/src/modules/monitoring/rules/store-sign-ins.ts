/** Rules about how people sign in. */
import { sql } from 'kysely';
import { deviceOf } from '#contract/identity/device';
import type { Finding, Rule } from './finding.ts';

// The system role: sessions belong to people, and are read of this company's members only.

/**
 * Members who signed in during the last day on a kind of device that they never used before, such as
 * "Chrome on Windows"; a person's first sign-in is none.
 */
export const newDevice: Rule = async ({ everywhere, company, now }) => {
  const { rows } = await sql<{ id: number; name: string; agent: string; earlier: string[] }>`
    select p.id, trim(p.first_name || ' ' || p.last_name) as name, s.user_agent as agent,
      earlier.agents as earlier
    from membership m
    join person p on p.id = m.user_id
    join session s on s.person_id = p.id
    cross join lateral (
      select array_agg(distinct e.user_agent) as agents from session e
      where e.person_id = p.id and e.created_at < s.created_at and e.user_agent is not null) earlier
    where m.company_id = ${company.id} and s.kind = 'browser' and s.user_agent is not null
      and not s.admin_mode and s.remote_login_id is null
      and s.created_at > ${now}::timestamptz - interval '1 day' and s.created_at <= ${now}
      and earlier.agents is not null
    order by s.created_at desc`.execute(everywhere);
  const found = new Map<number, Finding>();
  for (const { id, name, agent, earlier } of rows) {
    const device = deviceOf(agent);
    if (found.has(id) || earlier.some((one) => deviceOf(one) === device)) continue;
    found.set(id, {
      subjectId: id,
      label: name,
      message: `Signed in with ${device} for the first time.`,
      metric: { name: 'new devices', value: 1, threshold: 0, unit: 'device', window: '24 hours' },
    });
  }
  return [...found.values()];
};
