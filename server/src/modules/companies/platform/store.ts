import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import { foldedPattern } from '../../../platform/folded.ts';

// The system role: platform staff see all companies and people.

interface CompanyRow {
  id: number;
  name: string;
  slug: string;
  status: 0 | 1 | 2;
  suspended: boolean;
  organization: { id: number; name: string } | null;
  users: number;
  numbers: number;
  created_at: Date;
  last_seen_at: Date | null;
}
type CompanyFilter = 'active' | 'parked' | 'deactivated' | 'suspended';
const filters: Readonly<Record<CompanyFilter, ReturnType<typeof sql>>> = {
  active: sql`c.status = 0 and c.suspended_at is null`,
  parked: sql`c.status = 1`,
  deactivated: sql`c.status = 2`,
  suspended: sql`c.suspended_at is not null`,
};

/** Companies, without the accounts of individuals; figures are counted for this page only. */
export async function companyPage(
  db: Tx,
  filter: {
    search: string;
    status: CompanyFilter | null;
    sort: 'name' | 'created_at';
    isDescending: boolean;
    limit: number;
    offset: number;
  },
): Promise<{ rows: CompanyRow[]; total: number }> {
  const { search } = filter;
  const where = sql`c.kind = 'business'
    ${filter.status ? sql`and ${filters[filter.status]}` : sql``}
    ${search ? sql`and (folded(c.name) like ${foldedPattern(search)} or c.id::text = ${search})` : sql``}`;
  const direction = sql.raw(filter.isDescending ? 'desc' : 'asc');
  const order =
    filter.sort === 'name'
      ? sql`lower(c.name) ${direction}, c.id`
      : sql`c.created_at ${direction}, c.id`;
  const { rows } = await sql<CompanyRow>`
    select c.id, c.name, c.slug, c.status, c.suspended_at is not null as suspended,
      case when o.id is not null then jsonb_build_object('id', o.id, 'name', o.name) end
        as organization,
      (select count(*)::int from membership m where m.company_id = c.id
        and m.role <> 'deactivated') as users,
      (select count(*)::int from number n where n.company_id = c.id
        and n.released_at is null) as numbers,
      c.created_at,
      (select max(s.last_seen_at) from membership m join session s on s.person_id = m.user_id
        where m.company_id = c.id and m.role <> 'deactivated') as last_seen_at
    from (select * from company c where ${where}
        order by ${order} limit ${filter.limit} offset ${filter.offset}) c
      left join organization o on o.id = c.organization_id
    order by ${order}`.execute(db);
  const { rows: counted } = await sql<{ n: number }>`
    select count(*)::int as n from company c where ${where}`.execute(db);
  return { rows, total: counted[0]?.n ?? 0 };
}

interface PersonRow {
  id: number;
  email: string;
  first_name: string;
  last_name: string;
  is_staff: boolean;
  created_at: Date;
  last_seen_at: Date | null;
  companies: { id: number; name: string; role: string }[];
  company_count: number;
}

/** People by name or email, with the companies they are in. */
export async function personPage(
  db: Tx,
  filter: { search: string; companyId: number | null; limit: number; offset: number },
): Promise<{ rows: PersonRow[]; total: number }> {
  const { search, companyId } = filter;
  const where = sql`not p.is_individual
    ${
      companyId === null
        ? sql``
        : sql`and exists (select from membership m
            where m.company_id = ${companyId} and m.user_id = p.id)`
    }
    ${
      search
        ? sql`and (folded(p.email) like ${foldedPattern(search)}
            or folded(p.first_name || ' ' || p.last_name) like ${foldedPattern(search)})`
        : sql``
    }`;
  const order = sql`lower(p.first_name), lower(p.last_name), p.id`;
  const { rows } = await sql<PersonRow>`
    select p.id, p.email, p.first_name, p.last_name, p.is_staff, p.created_at,
      (select max(s.last_seen_at) from session s where s.person_id = p.id) as last_seen_at,
      coalesce((select jsonb_agg(jsonb_build_object('id', one.id, 'name', one.name,
          'role', one.role) order by one.name, one.id)
        from (select c.id, c.name, m.role from membership m join company c on c.id = m.company_id
          where m.user_id = p.id order by c.name, c.id limit 20) one), '[]') as companies,
      (select count(*)::int from membership m where m.user_id = p.id) as company_count
    from (select * from person p where ${where}
        order by ${order} limit ${filter.limit} offset ${filter.offset}) p
    order by ${order}`.execute(db);
  const { rows: counted } = await sql<{ n: number }>`
    select count(*)::int as n from person p where ${where}`.execute(db);
  return { rows, total: counted[0]?.n ?? 0 };
}
