import { sql, type Selectable } from 'kysely';
import { oneRow, type Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { Counts } from '../store-lists.ts';
import { hasFolded } from '../../../platform/folded.ts';

export type GroupRow = Selectable<Tables['contact_group']>;

/** A group; deleted ones only if `deleted`. Undefined: none. */
export const groupById = (
  tx: Tx,
  companyId: number,
  id: number,
  deleted = false,
): Promise<GroupRow | undefined> => {
  const q = tx
    .selectFrom('contact_group')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id);
  return (deleted ? q : q.where('deleted_at', 'is', null)).executeTakeFirst();
};
/** Groups in no order, without deleted ones. */
export const groupsOfIds = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<GroupRow[]> =>
  ids.length
    ? tx
        .selectFrom('contact_group')
        .selectAll()
        .where('company_id', '=', companyId)
        .where('id', 'in', [...ids])
        .where('deleted_at', 'is', null)
        .execute()
    : Promise.resolve([]);
/** The group of this name in any case. Undefined: none. */
export const groupByName = (
  tx: Tx,
  companyId: number,
  name: string,
): Promise<GroupRow | undefined> =>
  tx
    .selectFrom('contact_group')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('name_key', '=', name.trim().toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
/** The groups of these names in any case; unknown names are left out. */
export const groupsByNames = (
  tx: Tx,
  companyId: number,
  names: readonly string[],
): Promise<GroupRow[]> =>
  names.length
    ? tx
        .selectFrom('contact_group')
        .selectAll()
        .where('company_id', '=', companyId)
        .where(
          'name_key',
          'in',
          names.map((n) => n.trim().toLowerCase()),
        )
        .where('deleted_at', 'is', null)
        .execute()
    : Promise.resolve([]);
/** IDs of groups without a rule. */
export const listGroupIds = async (tx: Tx, companyId: number): Promise<number[]> =>
  (
    await tx
      .selectFrom('contact_group')
      .select('id')
      .where('company_id', '=', companyId)
      .where('rule', 'is', null)
      .where('deleted_at', 'is', null)
      .execute()
  ).map((r) => r.id);

const systemOrder = sql`array_position(array['all', 'unsubscribed', 'invalid',
      'recent_callers'], system)`;
/** A page of groups, and how many there are. `usual`: the order of the product. */
export async function groupPage(
  tx: Tx,
  companyId: number,
  filter: {
    search: string | undefined;
    virtual: boolean | undefined;
    sort: 'usual' | 'name' | 'createdAt';
    dir: 'asc' | 'desc';
    limit: number;
    offset: number;
  },
): Promise<{ rows: GroupRow[]; total: number }> {
  const parts = [sql`company_id = ${companyId} and deleted_at is null`];
  if (filter.search) parts.push(hasFolded(sql`name`, filter.search));
  if (filter.virtual !== undefined)
    parts.push(filter.virtual ? sql`rule is not null` : sql`rule is null`);
  const where = sql.join(parts, sql` and `);
  const direction = sql.raw(filter.dir);
  const order =
    filter.sort === 'usual'
      ? sql`${systemOrder} nulls last, folded(name), id`
      : filter.sort === 'name'
        ? sql`folded(name) ${direction}, id ${direction}`
        : sql`created_at ${direction}, id ${direction}`;
  const { rows } = await sql<GroupRow>`select * from contact_group
      where ${where} order by ${order} limit ${filter.limit} offset ${filter.offset}`.execute(tx);
  const total = (
    await oneRow(tx, sql<{ n: number }>`select count(*)::int n from contact_group where ${where}`)
  ).n;
  return { rows, total };
}
/** Creates a group; undefined: the name is taken. */
export const insertGroup = (
  tx: Tx,
  row: {
    company_id: number;
    name: string;
    rule: string | null;
    user_id: number | null;
    created_at: Date;
    updated_at: Date;
  },
): Promise<GroupRow | undefined> =>
  tx
    .insertInto('contact_group')
    .values(row)
    .onConflict((c) =>
      c.columns(['company_id', 'name_key']).where('deleted_at', 'is', null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
/** Creates groups without a rule for those of these names that don't exist yet. */
export async function insertGroups(
  tx: Tx,
  companyId: number,
  names: readonly string[],
  by: number | null,
  at: Date,
): Promise<void> {
  if (!names.length) return;
  await sql`insert into contact_group (company_id, name, user_id, created_at, updated_at)
    select ${companyId}, name, ${by}, ${at}, ${at} from unnest(${[...names].sort()}::text[]) name
    on conflict (company_id, name_key) where deleted_at is null do nothing`.execute(tx);
}
/** Changes columns of a group and returns it. `rule`: JSON. */
export const patchGroup = (
  tx: Tx,
  companyId: number,
  id: number,
  patch: { name?: string; rule?: string; deleted_at?: Date | null },
  at: Date,
): Promise<GroupRow> =>
  tx
    .updateTable('contact_group')
    .set({ ...patch, updated_at: at })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Stored counts by group; group 0: all contacts. */
export async function storedCounts(
  tx: Tx,
  companyId: number,
  groupIds: readonly number[],
): Promise<Map<number, Counts>> {
  if (!groupIds.length) return new Map();
  const { rows } = await sql<
    Counts & { group_id: number }
  >`select group_id, sum(contacts)::int total, sum(invalid)::int invalid,
    sum(unsubscribed)::int unsubscribed from contact_group_count where company_id = ${companyId}
    and group_id = any(${[...groupIds]}::bigint[]) group by group_id`.execute(tx);
  const found = new Map(rows.map(({ group_id, ...counts }) => [group_id, counts]));
  return new Map(
    groupIds.map((id) => [id, found.get(id) ?? { total: 0, invalid: 0, unsubscribed: 0 }]),
  );
}
/**
 * Sums up the count changes of each group into one row, for all companies. Returns how many groups.
 */
export async function compactCounts(tx: Tx): Promise<number> {
  const { rows } = await sql`with crowded as (select company_id, group_id
        from contact_group_count group by company_id, group_id having count(*) > 1 limit 500),
    gone as (delete from contact_group_count t using crowded k
        where t.company_id = k.company_id and t.group_id = k.group_id returning t.*)
    insert into contact_group_count (company_id, group_id, contacts, invalid, unsubscribed)
      select company_id, group_id, sum(contacts), sum(invalid), sum(unsubscribed)
      from gone group by company_id, group_id returning 1`.execute(tx);
  return rows.length;
}
