import { sql, type RawBuilder, type Selectable } from 'kysely';
import { type Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';
import { removeSettings, writeEffective, writeValues } from './settings/store-settings.ts';
import { foldedPattern } from '../../platform/folded.ts';

/** A company, deactivated ones included. Undefined: none of this ID. */
export const companyRow = (tx: Tx, id: number) =>
  tx.selectFrom('company').selectAll().where('id', '=', id).executeTakeFirst();
/** Sets the look of a company. */
export const setCompanyBrand = (tx: Tx, id: number, brand: object, at: Date) =>
  tx
    .updateTable('company')
    .set({ branding: JSON.stringify(brand), updated_at: at })
    .where('id', '=', id)
    .execute();
/** Companies by name; unknown IDs are left out. */
export const companiesByIds = (db: Tx, ids: readonly number[]) =>
  ids.length
    ? db
        .selectFrom('company')
        .selectAll()
        .where('id', 'in', [...ids])
        .orderBy('name')
        .orderBy('id')
        .execute()
    : Promise.resolve([]);
/** An active company by slug, or else by ID, as its sign-in page shows it. Undefined: none. */
export const companyBySlugOrId = (
  db: Tx,
  key: { slug?: string | undefined; id?: number | undefined },
) =>
  db
    .selectFrom('company')
    .select(['id', 'name', 'slug', 'branding'])
    .where((e) => (key.slug ? e('slug', '=', key.slug) : e('id', '=', key.id ?? 0)))
    .where('status', '<>', 2)
    .executeTakeFirst();
/** Whether the installation is in use, so that the first owner's key no longer counts. */
export const anyCompanyExists = async (db: Tx) =>
  Boolean(
    await db
      .selectFrom('company')
      .select('id')
      .where('kind', '=', 'business')
      .limit(1)
      .executeTakeFirst(),
  );

/** The oldest company, its owner's address, and whether they ever signed in. Undefined: none. */
export const firstCompany = async (db: Tx) =>
  (
    await sql<{ name: string; owner: string | null; signedIn: boolean }>`select c.name,
      p.email owner, exists (select from session s where s.person_id = p.id) "signedIn"
      from company c
        left join membership m on m.company_id = c.id and m.role = 'owner'
        left join person p on p.id = m.user_id
      where c.kind = 'business' order by c.id, p.id limit 1`.execute(db)
  ).rows[0];

export interface CompanyPatch {
  name?: string;
  phone?: string | null;
  email?: string | null;
  website?: string | null;
  industry?: string | null;
  timezone?: string;
  address?: string;
  links_enabled?: boolean;
  onboarded_at?: Date;
}
/** Changes columns of a company. */
export const patchCompany = (tx: Tx, id: number, patch: CompanyPatch, now: Date) =>
  tx
    .updateTable('company')
    .set({ ...patch, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Creates a company with a unique slug from its name (`acme`, `acme-2` …). Settings that aren't
 * given are those of its organization or of the installation. Needs the system role.
 */
export async function insertCompany(
  tx: Tx,
  c: {
    name: string;
    organization_id?: number | null;
    billing_info?: string;
    created_at: Date;
    kind?: 'business' | 'caddy';
    /** Made of the name if left out. */
    slug?: string;
  } & CompanyPatch,
) {
  const base =
    c.name
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'company';
  for (let n = 1; ; n++) {
    const slug = c.slug ?? (n === 1 ? base : `${base}-${n}`);
    const row = await tx
      .insertInto('company')
      .values({ ...c, slug })
      .onConflict((o) => o.column('slug').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (row) return withSettings(tx, row.id, c);
  }
}
async function withSettings(
  tx: Tx,
  id: number,
  { timezone, links_enabled, created_at: now }: CompanyPatch & { created_at: Date },
) {
  await writeValues(
    tx,
    { companyId: id, organizationId: null },
    { ...(timezone && { timezone }), ...(links_enabled && { links_enabled }) },
    { by: null, now },
  );
  await writeEffective(tx, [id], now);
  return tx.selectFrom('company').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
/** Makes a user a member. Without `number_ids` they may use all numbers. */
export const insertMembership = (
  tx: Tx,
  m: { company_id: number; user_id: number; role: string; number_ids?: number[] },
) =>
  tx
    .insertInto('membership')
    .values({ ...m, number_ids: sql`${m.number_ids ?? []}::bigint[]` })
    .execute();

/** Removes a company. Throws 23503 while anything refers to it (numbers, calls, files …). */
export async function removeCompany(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('membership').where('company_id', '=', id).execute();
  await tx.deleteFrom('invitation').where('company_id', '=', id).execute();
  await tx.deleteFrom('team').where('company_id', '=', id).execute();
  await removeSettings(tx, id);
  await tx.deleteFrom('company').where('id', '=', id).execute();
}

/** How many members a company has, without deactivated ones. */
export const countMembers = async (tx: Tx, companyId: number) =>
  Number(
    (
      await tx
        .selectFrom('membership')
        .select((e) => e.fn.countAll().as('n'))
        .where('company_id', '=', companyId)
        .where('role', '<>', 'deactivated')
        .executeTakeFirstOrThrow()
    ).n,
  );

/** A person with their membership of a company. `last_seen_at` null: never signed in. */
export type MemberRow = Pick<
  Selectable<Tables['person']>,
  'id' | 'email' | 'pending_email' | 'first_name' | 'last_name' | 'sip_user' | 'mfa_enabled_at'
> &
  Pick<Selectable<Tables['membership']>, 'role' | 'number_ids'> & {
    last_seen_at: Date | null;
    /** Owns or administers the company's organization. */
    is_organization_admin: boolean;
  };
/** What a list of members is sorted by. */
const memberOrder = {
  name: (dir: RawBuilder<unknown>) => sql`p.first_name ${dir}, p.last_name ${dir}`,
  email: (dir: RawBuilder<unknown>) => sql`p.email_key ${dir}`,
  role: (dir: RawBuilder<unknown>) => sql`m.role ${dir}, p.first_name, p.last_name`,
  last_login_at: (dir: RawBuilder<unknown>) => sql`last_seen_at ${dir} nulls last`,
};
/** Users of a company, last active when. Read as the system role: people belong to no company. */
export async function membersOf(
  db: Tx,
  companyId: number,
  filter: {
    userId?: number;
    search?: string | undefined;
    role?: string | undefined;
    status?: string | undefined;
    sort?: keyof typeof memberOrder | undefined;
    dir?: 'asc' | 'desc' | undefined;
    limit: number;
    offset: number;
  },
) {
  const like = filter.search ? foldedPattern(filter.search) : null;
  const where = sql`m.company_id = ${companyId}
    ${filter.userId ? sql`and m.user_id = ${filter.userId}` : sql``}
    ${filter.role ? sql`and m.role = ${filter.role}` : sql``}
    ${filter.status ? sql`and (m.role = 'deactivated') = ${filter.status === 'inactive'}` : sql``}
    ${
      like
        ? sql`and (folded(p.email) like ${like}
        or folded(p.first_name || ' ' || p.last_name) like ${like})`
        : sql``
    }`;
  const rows =
    await sql<MemberRow>`select p.id, p.email, p.pending_email, p.first_name, p.last_name,
      m.role, m.number_ids, p.sip_user, p.mfa_enabled_at,
      exists (select from company c join organization o on o.id = c.organization_id
        where c.id = m.company_id and (o.owner_id = p.id or exists (
          select from organization_admin a where a.organization_id = o.id and a.user_id = p.id)))
        is_organization_admin,
      (select max(s.last_seen_at) from session s where s.person_id = p.id) last_seen_at
    from membership m join person p on p.id = m.user_id where ${where}
    order by ${memberOrder[filter.sort ?? 'name'](sql.raw(filter.dir === 'desc' ? 'desc' : 'asc'))},
      p.id limit ${filter.limit} offset ${filter.offset}`.execute(db);
  const total = await sql<{
    n: number;
  }>`select count(*)::int n
    from membership m join person p on p.id = m.user_id where ${where}`.execute(db);
  return { rows: rows.rows, total: total.rows[0]?.n ?? 0 };
}

/** Email addresses of the company's owners. Needs the system role. */
export const ownersOf = async (db: Tx, companyId: number): Promise<string[]> =>
  (
    await sql<{ email: string }>`select p.email from membership m join person p on p.id = m.user_id
    where m.company_id = ${companyId} and m.role = 'owner' and not p.is_individual order by p.id`.execute(
      db,
    )
  ).rows.map((row) => row.email);

/** Who owns a company. Undefined: none of this ID. */
export const ownerIdOf = async (tx: Tx, companyId: number): Promise<number | undefined> =>
  (
    await tx
      .selectFrom('membership')
      .select('user_id')
      .where('company_id', '=', companyId)
      .where('role', '=', 'owner')
      .executeTakeFirst()
  )?.user_id;

/** The organizations a user owns, administers or belongs to by one of these companies. */
export const organizationsOf = async (db: Tx, userId: number, companyIds: readonly number[]) =>
  (
    await sql<{
      id: number;
      name: string;
      is_admin: boolean;
    }>`select o.id, o.name, o.owner_id is not distinct from ${userId}::bigint or exists (select
        from organization_admin a where a.organization_id = o.id and a.user_id = ${userId}) is_admin
    from organization o where o.owner_id = ${userId} or exists (select
        from organization_admin a where a.organization_id = o.id and a.user_id = ${userId})
      or exists (select from company c where c.organization_id = o.id
        and c.id = any(${[...companyIds]}::bigint[])) order by o.name`.execute(db)
  ).rows;
/** An organization and the companies in it; undefined: there is none of this id. */
export async function organizationWithCompanies(
  db: Tx,
  organizationId: number,
): Promise<{ id: number; name: string; companyIds: number[] } | undefined> {
  const { rows } = await sql<{ id: number; name: string; companyIds: number[] }>`
    select o.id, o.name, array(select c.id from company c where c.organization_id = o.id
      order by c.id) "companyIds" from organization o where o.id = ${organizationId}`.execute(db);
  return rows[0];
}

/** The organization of a company; undefined: it is in none. */
export async function organizationOfCompany(db: Tx, companyId: number) {
  const row = await db
    .selectFrom('company')
    .select('organization_id')
    .where('id', '=', companyId)
    .executeTakeFirst();
  return row?.organization_id ? organizationWithCompanies(db, row.organization_id) : undefined;
}

/** The companies of an owner that their organization deactivated, by name. */
export const closedCompaniesOf = async (db: Tx, userId: number) =>
  (
    await sql<{ id: number; name: string; organization: string }>`select c.id, c.name,
        o.name organization from membership m join company c on c.id = m.company_id
        join organization o on o.id = c.organization_id
      where m.user_id = ${userId} and m.role = 'owner' and c.status = 2
        and c.status_set_by is distinct from 'platform' order by c.name, c.id`.execute(db)
  ).rows;

/** The support PIN of each of these companies. */
export const pinsOf = (db: Tx, companyIds: readonly number[]) =>
  companyIds.length
    ? db
        .selectFrom('company')
        .select(['id as company_id', 'support_pin as pin'])
        .where('id', 'in', [...companyIds])
        .execute()
    : Promise.resolve([]);
/** Active companies with this support PIN: rarely more than one. Needs the system role. */
export const companiesByPin = (db: Tx, pin: string) =>
  db
    .selectFrom('company')
    .select(['id', 'name', 'slug'])
    .where('support_pin', '=', pin)
    .where('status', '<>', 2)
    .orderBy('name')
    .execute();
/** Gives every company another support PIN; returns their IDs. */
export const replaceSupportPins = async (tx: Tx): Promise<number[]> =>
  (
    await sql<{ id: number }>`update company set support_pin = new_support_pin()
      returning id`.execute(tx)
  ).rows.map((row) => row.id);
/** Stores an organization and returns its ID. */
export const insertOrganization = (
  tx: Tx,
  o: { name: string; slug: string; owner_id: number; timezone?: string },
) => tx.insertInto('organization').values(o).returning('id').executeTakeFirstOrThrow();
/** Makes a user an administrator of an organization; twice is harmless. */
export const insertOrganizationAdmin = (tx: Tx, o: { organization_id: number; user_id: number }) =>
  tx
    .insertInto('organization_admin')
    .values(o)
    .onConflict((c) => c.doNothing())
    .execute();
/** The demo users with the first company they can enter. */
export const demoPersons = async (db: Tx) =>
  (
    await sql<{
      email: string;
      first_name: string;
      last_name: string;
      company_id: number | null;
    }>`select p.email, p.first_name, p.last_name,
      (select min(c.id) from company c
          where c.kind = 'business' and (p.is_staff
            or exists (select from membership m where m.company_id = c.id and m.user_id = p.id)
            or exists (select from organization_admin a where a.organization_id = c.organization_id
              and a.user_id = p.id))) company_id
    from person p where p.email_key like '%@demo.test' order by p.id`.execute(db)
  ).rows;

// Counts of later modules come from SQL functions in their migrations, because imports aren't
// allowed.
/** How many numbers, contacts and unread conversations a company has. */
export const countCompanyObjects = async (tx: Tx, companyId: number) =>
  (
    await sql<{
      numbers: number;
      contacts: number;
      unread: number;
    }>`select * from company_counts(${companyId})`.execute(tx)
  ).rows[0] ?? { numbers: 0, contacts: 0, unread: 0 };
/** The company's numbers (E.164) by ID. */
export const numbersOf = async (tx: Tx, companyId: number) =>
  (
    await sql<{ id: number; number: string }>`select * from company_numbers(${companyId})`.execute(
      tx,
    )
  ).rows;
/** All companies, for platform staff in admin mode; individuals have screens of their own. */
export const allCompanyIds = async (db: Tx) =>
  (
    await db
      .selectFrom('company')
      .select('id')
      .where('kind', '=', 'business')
      .orderBy('id')
      .limit(10_000)
      .execute()
  ).map((c) => c.id);
/** Whether the user owns the organization or is among its administrators. */
export const isOrganizationAdmin = async (db: Tx, organizationId: number, userId: number) =>
  (
    await sql`select from organization o where o.id = ${organizationId}
      and (o.owner_id = ${userId} or exists (select from organization_admin a
        where a.organization_id = o.id and a.user_id = ${userId}))`.execute(db)
  ).rows.length > 0;
/** All organizations, for platform staff in admin mode. */
export const allOrganizationIds = async (db: Tx) =>
  (await db.selectFrom('organization').select('id').orderBy('id').limit(10_000).execute()).map(
    (o) => o.id,
  );
