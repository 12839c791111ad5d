import { sql, type Selectable } from 'kysely';
import type { CompanyRole } from '#contract';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { ScimFilter } from './patch.ts';

// All of it runs as the system role: a directory is of an organization, above companies.

/** The organization whose directory sends a token, by its hash; notes the use. Undefined: none. */
export const organizationOfToken = async (tx: Tx, hash: string, at: Date) =>
  (
    await tx
      .updateTable('scim_token')
      .set({ last_used_at: at })
      .where('hash', '=', hash)
      .returning('organization_id')
      .executeTakeFirst()
  )?.organization_id;

/** When an organization's token was made and last used. Undefined: it has none. */
export const tokenOf = (db: Tx, organizationId: number) =>
  db
    .selectFrom('scim_token')
    .select(['created_at', 'last_used_at'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();

/** Stores an organization's token in place of the one before. */
export const putToken = (tx: Tx, organization_id: number, hash: string, created_at: Date) =>
  tx
    .insertInto('scim_token')
    .values({ organization_id, hash, created_at })
    .onConflict((c) =>
      c.column('organization_id').doUpdateSet({ hash, created_at, last_used_at: null }),
    )
    .execute();

/** Revokes an organization's token. False: it has none. */
export const deleteToken = async (tx: Tx, organizationId: number): Promise<boolean> =>
  (
    await tx
      .deleteFrom('scim_token')
      .where('organization_id', '=', organizationId)
      .returning('organization_id')
      .execute()
  ).length > 0;

type UserRow = Selectable<Tables['scim_user']>;
/** A user with the person's name and address. */
export interface ScimUserRow extends UserRow {
  email: string;
  first_name: string;
  last_name: string;
  groups: { value: string; display: string }[];
}
const users = sql`select u.*, p.email, p.first_name, p.last_name, coalesce((
    select json_agg(json_build_object('value', g.id, 'display', g.display_name) order by g.display_name)
    from scim_group_member m join scim_group g on g.organization_id = m.organization_id
      and g.id = m.group_id
    where m.organization_id = u.organization_id and m.user_id = u.id), '[]') as groups
  from scim_user u join person p on p.id = u.person_id`;

const userFilter = (filter: ScimFilter | null) => {
  if (!filter) return sql`true`;
  const { by, value } = filter;
  if (by === 'userName') return sql`lower(u.user_name) = lower(${value})`;
  if (by === 'externalId') return sql`u.external_id = ${value}`;
  if (by === 'email') return sql`p.email_key = lower(${value})`;
  return by === 'id' ? sql`u.id::text = ${value}` : sql`false`;
};
interface Part {
  limit: number;
  offset: number;
}

/** A part of an organization's users, first made first, and how many there are. */
export async function listScimUsers(
  db: Tx,
  organizationId: number,
  filter: ScimFilter | null,
  { limit, offset }: Part,
): Promise<{ rows: ScimUserRow[]; total: number }> {
  const where = sql`u.organization_id = ${organizationId} and ${userFilter(filter)}`;
  const { rows } = await sql<ScimUserRow>`${users} where ${where}
    order by u.created_at, u.id limit ${limit} offset ${offset}`.execute(db);
  const count = await sql<{ n: number }>`select count(*)::int n from scim_user u
    join person p on p.id = u.person_id where ${where}`.execute(db);
  return { rows, total: count.rows[0]?.n ?? 0 };
}

/** A user of an organization. Undefined: none of this ID. */
export const scimUser = async (
  db: Tx,
  organizationId: number,
  id: string,
): Promise<ScimUserRow | undefined> =>
  (
    await sql<ScimUserRow>`${users} where u.organization_id = ${organizationId}
      and u.id::text = ${id}`.execute(db)
  ).rows[0];

/** Whom the directory of an organization knows as this person. Undefined: it doesn't. */
export const scimUserOfPerson = (
  db: Tx,
  organizationId: number,
  personId: number,
): Promise<UserRow | undefined> =>
  db
    .selectFrom('scim_user')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .executeTakeFirst();

/** Adds a user. Undefined: the directory has this name or person already. */
export const insertScimUser = (
  tx: Tx,
  row: Pick<UserRow, 'organization_id' | 'person_id' | 'user_name' | 'external_id'> & { at: Date },
) => {
  const { at, ...values } = row;
  return tx
    .insertInto('scim_user')
    .values({ ...values, created_at: at, updated_at: at })
    .onConflict((c) => c.doNothing())
    .returning('id')
    .executeTakeFirst();
};

/** Changes a user. Throws 23505 when another one has the name. */
export const patchScimUser = (
  tx: Tx,
  { organization_id, id }: Pick<UserRow, 'organization_id' | 'id'>,
  values: Partial<{
    user_name: string;
    external_id: string | null;
    active: boolean;
    given: string;
    taken: string;
    updated_at: Date;
  }>,
) =>
  tx
    .updateTable('scim_user')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();

/** Removes a user from the directory; the person stays. */
export const deleteScimUser = (tx: Tx, organizationId: number, id: string) =>
  tx
    .deleteFrom('scim_user')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();

/** The places that a person has in an organization now. */
export const placesIn = async (tx: Tx, organizationId: number, personId: number) =>
  (
    await sql<{ company_id: number; role: CompanyRole }>`select m.company_id, m.role
      from membership m join company c on c.id = m.company_id
      where c.organization_id = ${organizationId} and m.user_id = ${personId}
      order by m.company_id`.execute(tx)
  ).rows;

/** Names of the groups that a user is in. */
export const groupsOfUser = async (
  db: Tx,
  organizationId: number,
  userId: string,
): Promise<string[]> =>
  (
    await sql<{ name: string }>`select g.display_name as name
      from scim_group_member m join scim_group g on g.organization_id = m.organization_id
        and g.id = m.group_id
      where m.organization_id = ${organizationId} and m.user_id = ${userId}`.execute(db)
  ).rows.map((row) => row.name);

/** How many users and groups an organization's directory has sent. */
export const countScim = async (db: Tx, organizationId: number) =>
  (
    await sql<{ users: number; groups: number }>`select
      (select count(*)::int from scim_user where organization_id = ${organizationId}) users,
      (select count(*)::int from scim_group where organization_id = ${organizationId}) "groups"`.execute(
      db,
    )
  ).rows[0] ?? { users: 0, groups: 0 };
