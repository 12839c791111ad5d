import { sql, type Selectable } from 'kysely';
import type { DataGroupType } from '#contract/companies/data-groups/rules';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

// All of it runs as the system role: a data group spans the companies of an organization. Each
// statement is limited to the organization.

export type DataGroupRow = Selectable<Tables['data_group']>;
export interface DataGroupEntity {
  type: DataGroupType;
  id: number;
}
type LabeledEntity = DataGroupEntity & { group_id: number; label: string };

const groupsOf = (tx: Tx, organizationId: number, search: string | undefined) => {
  const found = tx.selectFrom('data_group').where('organization_id', '=', organizationId);
  return search
    ? found.where('name_key', 'like', `%${search.toLowerCase().replace(/[%_\\]/g, '\\$&')}%`)
    : found;
};

/** One page of an organization's data groups by name, and how many there are. */
export async function groupPage(
  tx: Tx,
  organizationId: number,
  { search, limit, offset }: { search: string | undefined; limit: number; offset: number },
): Promise<{ rows: DataGroupRow[]; total: number }> {
  const rows = await groupsOf(tx, organizationId, search)
    .selectAll()
    .orderBy('name_key')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, total: await countGroups(tx, organizationId, search) };
}

/** How many data groups the organization has. */
export const countGroups = async (
  tx: Tx,
  organizationId: number,
  search?: string,
): Promise<number> =>
  Number(
    (
      await groupsOf(tx, organizationId, search)
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

/** A data group of the organization, locked if asked. Undefined: none of this ID. */
export const groupRow = (
  tx: Tx,
  organizationId: number,
  id: number,
  lock = false,
): Promise<DataGroupRow | undefined> =>
  tx
    .selectFrom('data_group')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();

/** Inserts a data group; undefined: another one has the name. */
export const insertGroup = (
  tx: Tx,
  row: {
    organization_id: number;
    name: string;
    description: string;
    created_by: number | null;
    created_at: Date;
  },
): Promise<DataGroupRow | undefined> =>
  tx
    .insertInto('data_group')
    .values({ ...row, updated_at: row.created_at })
    .onConflict((c) => c.columns(['organization_id', 'name_key']).doNothing())
    .returningAll()
    .executeTakeFirst();

/** Whether another data group of the organization has this name, ignoring case. */
export const isNameTaken = async (
  tx: Tx,
  organizationId: number,
  name: string,
  exceptId: number,
): Promise<boolean> =>
  (await tx
    .selectFrom('data_group')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name_key', '=', sql<string>`lower(${name})`)
    .where('id', '<>', exceptId)
    .executeTakeFirst()) !== undefined;

/** Changes a data group. */
export const patchGroup = (
  tx: Tx,
  organizationId: number,
  id: number,
  patch: { name?: string; description?: string; updated_at: Date },
) =>
  tx
    .updateTable('data_group')
    .set(patch)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Deletes a data group with its list of entities; the entities stay. */
export const deleteGroupRow = (tx: Tx, organizationId: number, id: number) =>
  tx
    .deleteFrom('data_group')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();

/** Puts entities into a group; those that are in it already are left as they are. */
export const addEntities = (
  tx: Tx,
  organizationId: number,
  groupId: number,
  entities: readonly DataGroupEntity[],
) =>
  sql`insert into data_group_entity (organization_id, group_id, type, entity_id)
    select ${organizationId}, ${groupId}, e.type, e.id
    from unnest(${entities.map(({ type }) => type)}::text[],
      ${entities.map(({ id }) => id)}::bigint[]) as e (type, id)
    on conflict do nothing`.execute(tx);

/** Takes entities out of a group. Null: all of them. */
export const removeEntities = (
  tx: Tx,
  organizationId: number,
  groupId: number,
  entities: readonly DataGroupEntity[] | null,
) =>
  sql`delete from data_group_entity d
    where d.organization_id = ${organizationId} and d.group_id = ${groupId}
      ${
        entities
          ? sql`and (d.type, d.entity_id) in (select e.type, e.id
              from unnest(${entities.map(({ type }) => type)}::text[],
                ${entities.map(({ id }) => id)}::bigint[]) as e (type, id))`
          : sql``
      }`.execute(tx);

/** What of the organization's companies a data group can hold now, with its name. */
const livingEntities = (organizationId: number) => sql`
  select 'company' as type, c.id, c.name as label
  from company c where c.organization_id = ${organizationId}
  union all
  select 'number', n.id, n.number || ' ' || n.label
  from company c join number n on n.company_id = c.id
  where c.organization_id = ${organizationId} and n.status <> 'released'
  union all
  select 'dniPool', p.id, p.name
  from company c join tracking_pool p on p.company_id = c.id
  where c.organization_id = ${organizationId} and p.deleted_at is null
  union all
  select distinct 'user', u.id, trim(u.first_name || ' ' || u.last_name)
  from company c join membership m on m.company_id = c.id join person u on u.id = m.user_id
  where c.organization_id = ${organizationId}
  union all
  select 'tag', t.id, t.name
  from company c join tag t on t.company_id = c.id
  where c.organization_id = ${organizationId} and t.deleted_at is null`;

/** The entities of these groups that still exist, with their names; the label of a number begins with it. */
export const entitiesOf = async (
  tx: Tx,
  organizationId: number,
  groupIds: readonly number[],
): Promise<LabeledEntity[]> =>
  (
    await sql<LabeledEntity>`
      select d.group_id, d.type, d.entity_id as id, l.label
      from data_group_entity d
      join (${livingEntities(organizationId)}) l on l.type = d.type and l.id = d.entity_id
      where d.organization_id = ${organizationId} and d.group_id = any(${[...groupIds]}::bigint[])
      order by d.group_id, d.type, lower(l.label), d.entity_id`.execute(tx)
  ).rows;

/** Which of these aren't of the organization, or no longer exist. */
export const unknownEntities = async (
  tx: Tx,
  organizationId: number,
  entities: readonly DataGroupEntity[],
): Promise<DataGroupEntity[]> =>
  (
    await sql<DataGroupEntity>`
      select e.type, e.id
      from unnest(${entities.map(({ type }) => type)}::text[],
        ${entities.map(({ id }) => id)}::bigint[]) as e (type, id)
      where not exists (select from (${livingEntities(organizationId)}) l
        where l.type = e.type and l.id = e.id)`.execute(tx)
  ).rows;

/** How many entities are listed in a group. */
export const countEntities = async (tx: Tx, organizationId: number, groupId: number) =>
  Number(
    (
      await tx
        .selectFrom('data_group_entity')
        .select((e) => e.fn.countAll<number>().as('n'))
        .where('organization_id', '=', organizationId)
        .where('group_id', '=', groupId)
        .executeTakeFirstOrThrow()
    ).n,
  );
