import { sql } from 'kysely';
import type { EffectiveRole } from '#contract';
import { prepared, type Tx } from '../../platform/db.ts';

export const owns = ['company', 'membership', 'organization', 'organization_admin'] as const;

export interface SessionRow {
  person_id: number;
  email: string;
  first_name: string;
  last_name: string;
  is_staff: boolean;
  session_id: number;
  admin_mode: boolean;
  last_seen_at: Date;
  access_expires_at: Date | null;
  places: {
    companyId: number;
    role: EffectiveRole;
    numberIds: number[];
    switches: Record<string, unknown>;
  }[];
}

/** The person behind a session's hash, with every company they may act in. One statement, for every request. */
export async function findSession(
  db: Tx,
  credential: 'cookie' | 'access',
  hash: string,
  now: Date,
  idleMinutes: number,
): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`${prepared}
    select p.id person_id, p.email, p.first_name, p.last_name, p.is_staff, s.id session_id, s.admin_mode, s.last_seen_at, s.access_expires_at,
      coalesce((select json_agg(x) from (
        select m.company_id "companyId", m.role, m.number_ids "numberIds", c.settings switches from membership m join company c on c.id = m.company_id where m.user_id = p.id
        union all
        select c.id, 'org-administrator', '{}', c.settings from organization_admin a join company c on c.organization_id = a.organization_id
          where a.user_id = p.id and not exists (select from membership m where m.company_id = c.id and m.user_id = p.id and m.role in ('owner', 'administrator'))
      ) x), '[]') places
    from session s join person p on p.id = s.person_id
    where ${credential === 'cookie' ? sql`s.cookie_hash` : sql`s.access_hash`} = ${hash} and s.ended_at is null and p.disabled_at is null
      and ${credential === 'cookie' ? sql`s.last_seen_at > ${new Date(now.getTime() - idleMinutes * 60_000)}` : sql`s.access_expires_at > ${now}`}`.execute(
    db,
  );
  return rows[0];
}
export const touchSession = (db: Tx, id: number, at: Date) =>
  sql`update session set last_seen_at = ${at} where id = ${id}`.execute(db);

export const companyRow = (tx: Tx, id: number) =>
  tx.selectFrom('company').selectAll().where('id', '=', id).executeTakeFirst();
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
export const anyCompanyExists = async (db: Tx) =>
  Boolean(await db.selectFrom('company').select('id').limit(1).executeTakeFirst());

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
/** Settings to turn, and those to take back to their defaults. Others stay, also those that somebody turns at the same moment. */
export interface SettingsPatch {
  set: Record<string, unknown>;
  reset: string[];
}
export const patchCompany = (
  tx: Tx,
  id: number,
  patch: CompanyPatch,
  settings: SettingsPatch,
  now: Date,
) =>
  tx
    .updateTable('company')
    .set({
      ...patch,
      settings: sql`(settings - ${settings.reset}::text[]) || ${JSON.stringify(settings.set)}::jsonb`,
      updated_at: now,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** A slug nobody has: the name's words, then -2, -3 … */
export async function insertCompany(
  tx: Tx,
  c: {
    name: string;
    timezone: string;
    organization_id?: number | null;
    billing_info?: string;
    settings?: string;
    created_at: Date;
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
    const slug = n === 1 ? base : `${base}-${n}`;
    const row = await tx
      .insertInto('company')
      .values({ ...c, slug })
      .onConflict((o) => o.column('slug').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (row) return row;
  }
}
export const insertMembership = (
  tx: Tx,
  m: { company_id: number; user_id: number; role: string; number_ids?: number[] },
) =>
  tx
    .insertInto('membership')
    .values({ ...m, number_ids: sql`${m.number_ids ?? []}::bigint[]` })
    .execute();

/** Remove a company; a foreign key (numbers, calls, contacts, files …) refuses with 23503. */
export async function removeCompany(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('membership').where('company_id', '=', id).execute();
  await tx.deleteFrom('company').where('id', '=', id).execute();
}

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

export interface MemberRow {
  id: number;
  email: string;
  first_name: string;
  last_name: string;
  role: string;
  number_ids: number[];
  sip_user: string | null;
  last_seen_at: Date | null;
}
/** People of a company with their last sign of life. Persons are global, so the system role reads them. */
export async function membersOf(
  db: Tx,
  companyId: number,
  filter: {
    userId?: number;
    search?: string | undefined;
    role?: string | undefined;
    status?: string | undefined;
    limit: number;
    offset: number;
  },
) {
  const like = filter.search ? `%${filter.search.replace(/[%_\\]/g, '\\$&')}%` : null;
  const where = sql`m.company_id = ${companyId} ${filter.userId ? sql`and m.user_id = ${filter.userId}` : sql``} ${filter.role ? sql`and m.role = ${filter.role}` : sql``}
    ${filter.status ? sql`and (m.role = 'deactivated') = ${filter.status === 'inactive'}` : sql``}
    ${like ? sql`and (p.email ilike ${like} or p.first_name || ' ' || p.last_name ilike ${like})` : sql``}`;
  const rows =
    await sql<MemberRow>`select p.id, p.email, p.first_name, p.last_name, m.role, m.number_ids, p.sip_user,
      (select max(s.last_seen_at) from session s where s.person_id = p.id) last_seen_at
    from membership m join person p on p.id = m.user_id where ${where} order by p.first_name, p.last_name, p.id limit ${filter.limit} offset ${filter.offset}`.execute(
      db,
    );
  const total = await sql<{
    n: number;
  }>`select count(*)::int n from membership m join person p on p.id = m.user_id where ${where}`.execute(
    db,
  );
  return { rows: rows.rows, total: total.rows[0]?.n ?? 0 };
}

/** Addresses of a company's owners. Persons are global, so the system role reads them. */
export const ownersOf = async (db: Tx, companyId: number): Promise<string[]> =>
  (
    await sql<{ email: string }>`select p.email from membership m join person p on p.id = m.user_id
    where m.company_id = ${companyId} and m.role = 'owner' order by p.id`.execute(db)
  ).rows.map((row) => row.email);

export const organizationsOf = async (db: Tx, userId: number, companyIds: readonly number[]) =>
  (
    await sql<{
      id: number;
      name: string;
      is_admin: boolean;
    }>`select o.id, o.name, exists (select from organization_admin a where a.organization_id = o.id and a.user_id = ${userId}) is_admin
    from organization o where o.owner_id = ${userId} or exists (select from organization_admin a where a.organization_id = o.id and a.user_id = ${userId}) or exists (select from company c where c.organization_id = o.id and c.id = any(${[...companyIds]}::bigint[])) order by o.name`.execute(
      db,
    )
  ).rows;
export const pinsOf = (db: Tx, userId: number) =>
  db
    .selectFrom('membership')
    .select(['company_id', 'support_pin as pin'])
    .where('user_id', '=', userId)
    .where('role', '<>', 'deactivated')
    .execute();
export const insertOrganization = (tx: Tx, o: { name: string; slug: string; owner_id: number }) =>
  tx.insertInto('organization').values(o).returning('id').executeTakeFirstOrThrow();
export const insertOrganizationAdmin = (tx: Tx, o: { organization_id: number; user_id: number }) =>
  tx
    .insertInto('organization_admin')
    .values(o)
    .onConflict((c) => c.doNothing())
    .execute();
/** The demo's people with the first company they may enter. */
export const demoPersons = async (db: Tx) =>
  (
    await sql<{
      email: string;
      first_name: string;
      last_name: string;
      company_id: number | null;
    }>`select p.email, p.first_name, p.last_name,
      (select min(c.id) from company c where exists (select from membership m where m.company_id = c.id and m.user_id = p.id) or exists (select from organization_admin a where a.organization_id = c.organization_id and a.user_id = p.id) or p.is_staff) company_id
    from person p where p.email_key like '%@demo.test' order by p.id`.execute(db)
  ).rows;

// Facts of later modules come from functions that their migrations define, so that no import is needed.
export const countCompanyObjects = async (tx: Tx, companyId: number) =>
  (
    await sql<{
      numbers: number;
      contacts: number;
      unread: number;
    }>`select * from company_counts(${companyId})`.execute(tx)
  ).rows[0] ?? { numbers: 0, contacts: 0, unread: 0 };
export const numbersOf = async (tx: Tx, companyId: number) =>
  (
    await sql<{ id: number; number: string }>`select * from company_numbers(${companyId})`.execute(
      tx,
    )
  ).rows;
/** For platform staff in admin mode. */
export const allCompanyIds = async (db: Tx) =>
  (await db.selectFrom('company').select('id').orderBy('id').limit(10_000).execute()).map(
    (c) => c.id,
  );
export const isOrganizationAdmin = async (db: Tx, organizationId: number, userId: number) =>
  Boolean(
    await db
      .selectFrom('organization_admin')
      .select('user_id')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .executeTakeFirst(),
  );
