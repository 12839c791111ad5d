import { sql } from 'kysely';
import type { EffectiveRole } from '#contract';
import type { OwnDetails, RolesOf } from '../../platform/masking/contact-details.ts';

/** The company's own number and email, its people's emails and SIP addresses, and whom it invited. */
export const ownDetails: OwnDetails = async (db, companyId, { numbers, emails }) =>
  (
    await sql<{ detail: string }>`
      select c.phone detail from company c
        where c.id = ${companyId} and c.phone = any(${numbers}::text[])
      union all select lower(c.email) from company c
        where c.id = ${companyId} and lower(c.email) = any(${emails}::text[])
      union all select lower(i.email) from invitation i
        where i.company_id = ${companyId} and lower(i.email) = any(${emails}::text[])
      union all select unnest(array[lower(p.email), lower(p.pending_email),
          replace(p.sip_address, 'sip:', '')])
        from person p where p.id in (
          select m.user_id from membership m where m.company_id = ${companyId}
          union all select a.user_id from organization_admin a
            join company c on c.organization_id = a.organization_id where c.id = ${companyId})
        and (lower(p.email) = any(${emails}::text[])
          or lower(p.pending_email) = any(${emails}::text[])
          or replace(p.sip_address, 'sip:', '') = any(${emails}::text[]))`.execute(db.unscoped)
  ).rows
    .map((row) => row.detail)
    .filter(Boolean);

/** The roles of a person in a company, by ID or email address. */
export const rolesOf: RolesOf = async (db, companyId, who) => {
  const { rows } = await sql<{ roles: EffectiveRole[]; switches: Record<string, unknown> }>`
    select array_agg(m.role) roles, c.settings switches from company c
    join (select company_id, user_id, role from membership
      union all select k.id, a.user_id, 'org-administrator' from organization_admin a
        join company k on k.organization_id = a.organization_id) m on m.company_id = c.id
    join person p on p.id = m.user_id
    where c.id = ${companyId} and ${
      typeof who === 'number' ? sql`p.id = ${who}` : sql`lower(p.email) = lower(${who})`
    } group by c.id, c.settings`.execute(db.unscoped);
  return rows[0] ?? null;
};
