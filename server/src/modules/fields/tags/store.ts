import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import { firstOf } from '../../../platform/must-be.ts';
import type { Tables } from '../../../platform/tables.ts';
import { hasFolded } from '../../../platform/folded.ts';

export type TagRow = Pick<Selectable<Tables['tag']>, 'id' | 'name' | 'color'>;

/** The tags of these lower-case names; unknown names are left out. */
export const tagsByKeys = (tx: Tx, companyId: number, keys: readonly string[]): Promise<TagRow[]> =>
  tx
    .selectFrom('tag')
    .select(['id', 'name', 'color'])
    .where('company_id', '=', companyId)
    .where('name_key', 'in', [...keys])
    .where('deleted_at', 'is', null)
    .execute();

/** Creates tags and returns them, without names that were created in between. */
export async function insertTags(
  tx: Tx,
  companyId: number,
  tags: readonly { name: string; color: string }[],
  by: number | null,
  now: Date,
): Promise<TagRow[]> {
  return tx
    .insertInto('tag')
    .values(tags.map((t) => ({ company_id: companyId, ...t, created_by: by, created_at: now })))
    .onConflict((c) =>
      c.columns(['company_id', 'name_key']).where('deleted_at', 'is', null).doNothing(),
    )
    .returning(['id', 'name', 'color'])
    .execute();
}

/** A tag and how many objects of each kind have it. */
export interface TagView extends Omit<
  Selectable<Tables['tag']>,
  'company_id' | 'name_key' | 'merged_into'
> {
  scope: 'company' | 'organization';
  numbers: number;
  calls: number;
  places: number;
}
const selectTagViews = (companyId: number) =>
  sql`select t.id, t.name, t.color, t.scope, t.organization_tag_id, t.created_by, t.created_at,
    t.deleted_at, u.numbers, u.calls, u.places
    from tag t join tag_uses(${companyId}) u on u.tag_id = t.id where t.company_id = ${companyId}
      and t.merged_into is null`;
export const tagSorts = {
  name: sql`folded(t.name)`,
  usage_count: sql`u.numbers + u.calls + u.places`,
  created_at: sql`t.created_at`,
  color: sql`t.color`,
} as const;
/** A page of tags with their uses, and how many tags there are. */
export async function tagPage(
  tx: Tx,
  companyId: number,
  filter: {
    search?: string | undefined;
    scope?: string | undefined;
    unused?: boolean | undefined;
    sort: keyof typeof tagSorts;
    dir: 'asc' | 'desc';
    limit: number;
    offset: number;
  },
): Promise<{ rows: TagView[]; total: number }> {
  const conditions = [sql`t.deleted_at is null`];
  if (filter.search) conditions.push(hasFolded(sql`t.name`, filter.search));
  if (filter.scope) conditions.push(sql`t.scope = ${filter.scope}`);
  if (filter.unused !== undefined)
    conditions.push(
      filter.unused
        ? sql`u.numbers + u.calls + u.places = 0`
        : sql`u.numbers + u.calls + u.places > 0`,
    );
  const where = sql.join(conditions, sql` and `);
  const rows = await sql<TagView>`${selectTagViews(companyId)} and ${where}
      order by ${tagSorts[filter.sort]} ${filter.dir === 'asc' ? sql`asc` : sql`desc`}, t.name_key
      limit ${filter.limit} offset ${filter.offset}`.execute(tx);
  const total = await sql<{
    n: number;
  }>`select count(*)::int n from tag t join tag_uses(${companyId}) u on u.tag_id = t.id
    where t.company_id = ${companyId} and ${where}`.execute(tx);
  return { rows: rows.rows, total: firstOf(total.rows).n };
}
/** Tags with their uses, by name; unknown IDs are left out. */
export const tagsByIds = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<TagView[]> =>
  (
    await sql<TagView>`${selectTagViews(companyId)} and t.id = any (${[...ids]}::bigint[])
      order by folded(t.name)`.execute(tx)
  ).rows;
/** Locks the company's tags until the transaction ends. */
export const lockTags = (tx: Tx, companyId: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`tags:${companyId}`}, 19))`.execute(tx);
/** Changes columns of a tag; `deleted_at: null` brings it back. */
export const patchTag = (
  tx: Tx,
  companyId: number,
  id: number,
  patch: { name?: string; color?: string; deleted_at?: Date | null },
) =>
  tx
    .updateTable('tag')
    .set(patch)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
/**
 * Replaces tag `gone` with `kept` on all objects and deletes it. Many calls follow by a job; until
 * then the tag is only marked as merged.
 */
export async function mergeTag(
  tx: Tx,
  companyId: number,
  { gone, kept, now }: { gone: number; kept: number; now: Date },
): Promise<void> {
  const { rows } = await sql<{
    later: boolean;
  }>`select rename_tag_usage(${companyId}, ${gone}, ${kept}) later`.execute(tx);
  const tags = tx.updateTable('tag').where('company_id', '=', companyId);
  // What is still on its way to the tag that goes now ends up where this one does.
  await tags.set({ merged_into: kept }).where('merged_into', '=', gone).execute();
  if (firstOf(rows).later)
    await tags.set({ merged_into: kept, deleted_at: now }).where('id', '=', gone).execute();
  else await removeTag(tx, companyId, gone);
}
/** Deletes a tag for good. */
export const removeTag = (tx: Tx, companyId: number, id: number) =>
  tx.deleteFrom('tag').where('company_id', '=', companyId).where('id', '=', id).execute();
/** The tag that takes the place of this one; null: none does. */
export const placeTakenBy = async (tx: Tx, companyId: number, id: number): Promise<number | null> =>
  (
    await tx
      .selectFrom('tag')
      .select('merged_into')
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .executeTakeFirst()
  )?.merged_into ?? null;

/** The organization's tags of these lower-case names. */
export const organizationTagsByKeys = (tx: Tx, organizationId: number, keys: readonly string[]) =>
  tx
    .selectFrom('organization_tag')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('name_key', 'in', [...keys])
    .execute();
/** Adds tags to an organization; existing names stay as they are. */
export const insertOrganizationTags = (
  tx: Tx,
  organizationId: number,
  tags: readonly { name: string; color: string }[],
  by: number | null,
  now: Date,
) =>
  tx
    .insertInto('organization_tag')
    .values(
      tags.map((t) => ({ organization_id: organizationId, ...t, created_by: by, created_at: now })),
    )
    .onConflict((c) => c.columns(['organization_id', 'name_key']).doNothing())
    .execute();
/** Changes name or color of an organization's tag. */
export const patchOrganizationTag = (
  tx: Tx,
  organizationId: number,
  id: number,
  patch: { name?: string; color?: string },
) =>
  tx
    .updateTable('organization_tag')
    .set(patch)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
/** Deletes an organization's tags. */
export const removeOrganizationTags = (tx: Tx, organizationId: number, ids: readonly number[]) =>
  tx
    .deleteFrom('organization_tag')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .execute();

/**
 * Updates the company's copies of its organization's tags: creates missing ones (or takes over a company
 * tag of that name), updates changed ones, and makes removed ones company tags.
 */
export async function syncOrganizationTags(tx: Tx, companyId: number, now: Date): Promise<void> {
  const organization = sql`(select c.organization_id from company c where c.id = ${companyId})`;
  await sql`update tag t set scope = 'company', organization_tag_id = null
    where t.company_id = ${companyId} and t.organization_tag_id is not null
    and not exists (select from organization_tag o
        where o.organization_id = ${organization} and o.id = t.organization_tag_id)`.execute(tx);
  // A company's own tag of that name, if there is one, becomes the organization's.
  await sql`update tag t set scope = 'organization', organization_tag_id = o.id
    from organization_tag o
    where o.organization_id = ${organization} and t.company_id = ${companyId}
    and t.deleted_at is null and t.organization_tag_id is null and t.name_key = o.name_key
    and not exists (select
        from tag x where x.company_id = ${companyId} and x.organization_tag_id = o.id)`.execute(tx);
  await sql`update tag t set name = o.name, color = o.color, deleted_at = null
    from organization_tag o where o.organization_id = ${organization}
    and t.company_id = ${companyId} and t.organization_tag_id = o.id
    and (t.name <> o.name or t.color <> o.color or t.deleted_at is not null)
      and not exists (select from tag x where x.company_id = ${companyId}
        and x.id <> t.id and x.deleted_at is null and x.name_key = o.name_key)`.execute(tx);
  await sql`insert into tag (company_id, name, color, scope, organization_tag_id, created_by,
      created_at) select ${companyId}, o.name, o.color, 'organization', o.id, o.created_by, ${now}
    from organization_tag o
    where o.organization_id = ${organization} and not exists (select
        from tag x where x.company_id = ${companyId} and x.organization_tag_id = o.id)
      on conflict (company_id, name_key) where deleted_at is null do nothing`.execute(tx);
}
