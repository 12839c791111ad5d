import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

export interface Teammate {
  id: number;
  name: string;
  email: string;
  role: string;
  number_ids: number[];
  switches: Record<string, unknown>;
}
/** Users of a company, with their role and the numbers they are limited to. */
export const teammatesOf = async (directory: Tx, companyId: number): Promise<Teammate[]> =>
  (
    await sql<Teammate>`select p.id, coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''),
        p.email) as name, p.email, m.role, m.number_ids, c.settings switches
    from (select company_id, user_id, role, number_ids
        from membership where company_id = ${companyId} and role <> 'deactivated'
      union all select k.id, a.user_id, 'org-administrator', '{}'::bigint[]
        from organization_admin a join company k on k.organization_id = a.organization_id
        where k.id = ${companyId} and not exists (select
            from membership m2 where m2.company_id = k.id and m2.user_id = a.user_id)) m
    join company c on c.id = m.company_id
      join person p on p.id = m.user_id and p.disabled_at is null order by 2, 1`.execute(directory)
  ).rows;
