import { sql, type Selectable, type Updateable } from 'kysely';
import type { CompanyRole } from '#contract';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import { foldedPattern } from '../../../platform/folded.ts';

// All of it runs as the system role: organizations are above companies.

export type OrganizationRow = Selectable<Tables['organization']>;

/** An organization, locked until the transaction ends if asked. Undefined: none of this ID. */
export const organizationRow = (tx: Tx, id: number, lock = false) =>
  tx
    .selectFrom('organization')
    .selectAll()
    .where('id', '=', id)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();

/** Organizations by ID, by name. */
export const organizationsByIds = (tx: Tx, ids: readonly number[]) =>
  ids.length
    ? tx
        .selectFrom('organization')
        .selectAll()
        .where('id', 'in', [...ids])
        .orderBy('name')
        .orderBy('id')
        .execute()
    : Promise.resolve([]);

/** Creates an organization; undefined: another one has this slug. */
export const createOrganizationRow = (
  tx: Tx,
  o: { name: string; slug: string; owner_id: number; timezone: string; created_at: Date },
) =>
  tx
    .insertInto('organization')
    .values({ ...o, updated_at: o.created_at })
    .onConflict((c) => c.column('slug').doNothing())
    .returningAll()
    .executeTakeFirst();

/** Changes an organization. Throws 23505 when another one has the slug. */
export const updateOrganizationRow = (
  tx: Tx,
  id: number,
  patch: Updateable<Tables['organization']>,
) => tx.updateTable('organization').set(patch).where('id', '=', id).execute();

/** Removes an organization. Throws 23503 while companies or fields refer to it. */
export const removeOrganizationRow = (tx: Tx, id: number) =>
  tx.deleteFrom('organization').where('id', '=', id).execute();

/** The companies of an organization by name. */
export const accountsOf = (tx: Tx, organizationId: number) =>
  tx
    .selectFrom('company')
    .select(['id', 'name', 'slug', 'status'])
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .orderBy('id')
    .execute();

/** A company, locked until the transaction ends. Undefined: none of this ID. */
export const lockCompany = (tx: Tx, id: number) =>
  tx.selectFrom('company').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export type LockedCompany = NonNullable<Awaited<ReturnType<typeof lockCompany>>>;

/** Moves a company into an organization; null: out of its own. */
export const setOrganization = (tx: Tx, companyId: number, organizationId: number | null) =>
  tx
    .updateTable('company')
    .set({ organization_id: organizationId })
    .where('id', '=', companyId)
    .execute();

/**
 * Sets a company's status: 0 active, 1 parked, 2 deactivated; and who set it, null for active ones.
 */
export const setCompanyStatus = (
  tx: Tx,
  companyId: number,
  status: number,
  { by, now }: { by: 'organization' | 'platform' | null; now: Date },
) =>
  tx
    .updateTable('company')
    .set({ status, status_set_by: by, updated_at: now })
    .where('id', '=', companyId)
    .execute();

interface Figures {
  company_id: number;
  numbers: number;
  users: number;
  unread: number;
  calls: number;
  texts: number;
}
/** Figures by company; calls and texts since a time. */
export const figuresOf = async (tx: Tx, companyIds: readonly number[], since: Date) =>
  new Map(
    (
      await sql<Figures>`select * from organization_figures(${[...companyIds]}::bigint[],
        ${since})`.execute(tx)
    ).rows.map((f) => [f.company_id, f]),
  );

interface Effects {
  numbers: number;
  ports: number;
  scheduled_texts: number;
  campaigns: { id: number; title: string }[];
}
/** What stops when this company is parked or deactivated. */
export const effectsOf = async (tx: Tx, companyId: number): Promise<Effects | undefined> =>
  (await sql<Effects>`select * from company_status_effects(${companyId})`.execute(tx)).rows[0];

/** Numbers in use and people of all companies of an organization, without deactivated people. */
export const countsOf = async (tx: Tx, organizationId: number) =>
  (
    await sql<{ numbers: number; users: number }>`select
      coalesce((select sum(k.numbers)::int from company c cross join lateral company_counts(c.id) k
        where c.organization_id = ${organizationId}), 0) numbers,
      (select count(distinct m.user_id)::int from membership m
        join company c on c.id = m.company_id
        where c.organization_id = ${organizationId} and m.role <> 'deactivated') users`.execute(tx)
  ).rows[0] ?? { numbers: 0, users: 0 };

/** Those who administer an organization: its owner and the people who were made so. */
export const administratorsOf = async (tx: Tx, organizationId: number): Promise<number[]> =>
  (
    await sql<{ user_id: number }>`select user_id from organization_admin
        where organization_id = ${organizationId}
      union select owner_id from organization
        where id = ${organizationId} and owner_id is not null`.execute(tx)
  ).rows.map((row) => row.user_id);

/** Takes the administration from a person; false: they did not have it. */
export const removeAdministrator = async (tx: Tx, organizationId: number, userId: number) =>
  (
    await tx
      .deleteFrom('organization_admin')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .returning('user_id')
      .execute()
  ).length > 0;

/** People of a company whom its status concerns: those with a role there that isn't deactivated. */
export const activeMemberIds = async (tx: Tx, companyId: number): Promise<number[]> =>
  (
    await tx
      .selectFrom('membership')
      .select('user_id')
      .where('company_id', '=', companyId)
      .where('role', '<>', 'deactivated')
      .orderBy('user_id')
      .execute()
  ).map((row) => row.user_id);

/** Those of the people who can't get into any company now, and aren't platform staff. */
export const peopleWithoutCompany = async (tx: Tx, userIds: readonly number[]) =>
  (
    await sql<{ id: number }>`select p.id from person p where p.id = any(${[...userIds]}::bigint[])
      and not p.is_staff
      and not exists (select from membership m join company c on c.id = m.company_id
        where m.user_id = p.id and m.role <> 'deactivated' and c.status <> 2)
      and not exists (select from organization o where o.owner_id = p.id)
      and not exists (select from organization_admin a where a.user_id = p.id)`.execute(tx)
  ).rows.map((row) => row.id);

export interface OrganizationUserRow {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  is_owner: boolean;
  is_admin: boolean;
  accounts: { id: number; name: string; role: CompanyRole }[];
  last_seen_at: Date | null;
}
/** The people of an organization's companies and its administrators, by name. */
export async function organizationUsers(
  tx: Tx,
  organizationId: number,
  filter: {
    userId?: number;
    search?: string | undefined;
    isAdmin?: boolean | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ rows: OrganizationUserRow[]; total: number }> {
  const like = filter.search ? foldedPattern(filter.search) : null;
  const people = sql`from person p join organization o on o.id = ${organizationId}
    cross join lateral (select o.owner_id is not distinct from p.id is_owner,
      o.owner_id is not distinct from p.id or exists (select from organization_admin a
        where a.organization_id = o.id and a.user_id = p.id) is_admin) r
    where (r.is_admin or exists (select from membership m join company c on c.id = m.company_id
        where m.user_id = p.id and c.organization_id = o.id))
      ${filter.userId ? sql`and p.id = ${filter.userId}` : sql``}
      ${filter.isAdmin === undefined ? sql`` : sql`and r.is_admin = ${filter.isAdmin}`}
      ${
        like
          ? sql`and (folded(p.email) like ${like}
        or folded(p.first_name || ' ' || p.last_name) like ${like})`
          : sql``
      }`;
  const { rows } = await sql<OrganizationUserRow>`select p.id, p.first_name, p.last_name, p.email,
      r.is_owner, r.is_admin,
      (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'role', m.role)
          order by c.name, c.id), '[]') from membership m join company c on c.id = m.company_id
        where m.user_id = p.id and c.organization_id = o.id) accounts,
      (select max(s.last_seen_at) from session s where s.person_id = p.id) last_seen_at
    ${people} order by p.first_name, p.last_name, p.id
    limit ${filter.limit} offset ${filter.offset}`.execute(tx);
  const total = await sql<{ n: number }>`select count(*)::int n ${people}`.execute(tx);
  return { rows, total: total.rows[0]?.n ?? 0 };
}

/** A person's role in a company, locked until the transaction ends. Undefined: none. */
export const lockMembership = (tx: Tx, companyId: number, userId: number) =>
  tx
    .selectFrom('membership')
    .select('role')
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();

/** Changes a person's role in a company. */
export const setRole = (tx: Tx, companyId: number, userId: number, role: string) =>
  tx
    .updateTable('membership')
    .set({ role })
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .execute();
