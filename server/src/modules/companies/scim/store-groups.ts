import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { ScimFilter } from './patch.ts';

// All of it runs as the system role: a directory is of an organization, above companies.

/** A group with its members. */
export interface ScimGroupRow extends Selectable<Tables['scim_group']> {
  members: { value: string; display: string }[];
}
const groups = sql`select g.*, coalesce((
    select json_agg(json_build_object('value', u.id, 'display', u.user_name) order by u.user_name)
    from scim_group_member m join scim_user u on u.organization_id = m.organization_id
      and u.id = m.user_id
    where m.organization_id = g.organization_id and m.group_id = g.id), '[]') as members
  from scim_group g`;
const groupFilter = (filter: ScimFilter | null) => {
  if (!filter) return sql`true`;
  const { by, value } = filter;
  if (by === 'displayName') return sql`lower(g.display_name) = lower(${value})`;
  if (by === 'externalId') return sql`g.external_id = ${value}`;
  return by === 'id' ? sql`g.id::text = ${value}` : sql`false`;
};

/** A part of an organization's groups, first made first, and how many there are. */
export async function listScimGroups(
  db: Tx,
  organizationId: number,
  filter: ScimFilter | null,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ScimGroupRow[]; total: number }> {
  const where = sql`g.organization_id = ${organizationId} and ${groupFilter(filter)}`;
  const { rows } = await sql<ScimGroupRow>`${groups} where ${where}
    order by g.created_at, g.id limit ${limit} offset ${offset}`.execute(db);
  const count = await sql<{ n: number }>`select count(*)::int n from scim_group g
    where ${where}`.execute(db);
  return { rows, total: count.rows[0]?.n ?? 0 };
}

/** A group of an organization. Undefined: none of this ID. */
export const scimGroup = async (
  db: Tx,
  organizationId: number,
  id: string,
): Promise<ScimGroupRow | undefined> =>
  (
    await sql<ScimGroupRow>`${groups} where g.organization_id = ${organizationId}
      and g.id::text = ${id}`.execute(db)
  ).rows[0];

/** Adds a group. Undefined: there is one of this name. */
export const insertScimGroup = (
  tx: Tx,
  row: { organization_id: number; display_name: string; external_id: string | null; at: Date },
) => {
  const { at, ...values } = row;
  return tx
    .insertInto('scim_group')
    .values({ ...values, created_at: at, updated_at: at })
    .onConflict((c) => c.doNothing())
    .returning('id')
    .executeTakeFirst();
};

/** Changes a group. Throws 23505 when another one has the name. */
export const patchScimGroup = (
  tx: Tx,
  { organization_id, id }: Pick<ScimGroupRow, 'organization_id' | 'id'>,
  values: Partial<{ display_name: string; external_id: string | null; updated_at: Date }>,
) =>
  tx
    .updateTable('scim_group')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();

/** Removes a group. */
export const deleteScimGroup = (tx: Tx, organizationId: number, id: string) =>
  tx
    .deleteFrom('scim_group')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();

/** Adds members; those it has, and users of others, are left out. */
export const addMembers = (
  tx: Tx,
  organizationId: number,
  groupId: string,
  ids: readonly string[],
) =>
  sql`insert into scim_group_member (organization_id, group_id, user_id)
    select ${organizationId}, ${groupId}::uuid, id from scim_user
    where organization_id = ${organizationId} and id::text = any(${[...ids]}::text[])
    on conflict do nothing`.execute(tx);

/** Removes members. */
export const removeMembers = (
  tx: Tx,
  organizationId: number,
  groupId: string,
  ids: readonly string[],
) =>
  sql`delete from scim_group_member where organization_id = ${organizationId}
    and group_id = ${groupId}::uuid and user_id::text = any(${[...ids]}::text[])`.execute(tx);
