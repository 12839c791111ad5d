import { sql, type Selectable } from 'kysely';
import type { presets as contract } from '#contract';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import { hasFolded } from '../../../platform/folded.ts';

/** A preset as one user sees it. */
interface PresetRow extends Selectable<Tables['column_preset']> {
  entity: contract.PresetEntity;
  columns: contract.PresetColumn[];
  sort: { field: string; dir: 'asc' | 'desc' } | null;
  filters: Record<string, unknown> | null;
  /** The user's default for lists of this entity. */
  is_default: boolean;
}
/** The user's own presets and shared ones. */
export async function presetRows(
  tx: Tx,
  companyId: number,
  userId: number,
  filter: { id?: number; entity?: string | undefined; search?: string | undefined } = {},
): Promise<PresetRow[]> {
  const conditions = [sql`p.company_id = ${companyId}`, sql`(p.user_id = ${userId} or p.shared)`];
  if (filter.id) conditions.push(sql`p.id = ${filter.id}`);
  if (filter.entity) conditions.push(sql`p.entity = ${filter.entity}`);
  if (filter.search) conditions.push(hasFolded(sql`p.name`, filter.search));
  return (
    await sql<PresetRow>`select p.*, exists (select
        from column_preset_default d where d.company_id = p.company_id
        and d.preset_id = p.id and d.user_id = ${userId} and d.entity = p.entity) is_default
    from column_preset p where ${sql.join(conditions, sql` and `)}
      order by (p.user_id = ${userId}) desc, folded(p.name), p.id`.execute(tx)
  ).rows;
}
/** Names by user ID; needs the system role, because people don't belong to companies. */
export const namesOf = async (db: Tx, userIds: readonly number[]): Promise<Map<number, string>> =>
  new Map(
    (userIds.length
      ? await db
          .selectFrom('person')
          .select(['id', 'first_name', 'last_name', 'email'])
          .where('id', 'in', [...new Set(userIds)])
          .execute()
      : []
    ).map((p) => [p.id, `${p.first_name} ${p.last_name}`.trim() || p.email]),
  );

interface PresetInput {
  name?: string | undefined;
  columns?: readonly contract.PresetColumn[] | undefined;
  sort?: PresetRow['sort'] | undefined;
  filters?: PresetRow['filters'] | undefined;
  shared?: boolean | undefined;
}
type NewPreset = PresetInput & { name: string; columns: readonly contract.PresetColumn[] };
/** The given parts as the table stores them: JSON columns as text. Parts left out stay out. */
const columnsOf = ({ name, columns, sort, filters, shared }: PresetInput) => ({
  ...(name !== undefined && { name }),
  ...(columns !== undefined && { columns: JSON.stringify(columns) }),
  ...(sort !== undefined && { sort: sort && JSON.stringify(sort) }),
  ...(filters !== undefined && { filters: filters && JSON.stringify(filters) }),
  ...(shared !== undefined && { shared }),
});
/** Creates a preset and returns its ID; undefined: the user has one of this name. */
export const insertPreset = async (
  tx: Tx,
  companyId: number,
  userId: number,
  entity: string,
  p: NewPreset,
  now: Date,
): Promise<number | undefined> =>
  (
    await tx
      .insertInto('column_preset')
      .values({
        company_id: companyId,
        user_id: userId,
        entity,
        created_at: now,
        updated_at: now,
        ...columnsOf(p),
        name: p.name,
        columns: JSON.stringify(p.columns),
      })
      .onConflict((c) => c.doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id;
/** Whether the preset's user has another one of this name for the same entity, ignoring case. */
export const isNameTaken = async (
  tx: Tx,
  companyId: number,
  row: { id: number; user_id: number; entity: string },
  name: string,
): Promise<boolean> =>
  (
    await sql`select from column_preset
      where company_id = ${companyId} and user_id = ${row.user_id} and entity = ${row.entity}
      and lower(name) = ${name.toLowerCase()} and id <> ${row.id}`.execute(tx)
  ).rows.length > 0;
/** Replaces the content of a column preset. */
export const patchPreset = (tx: Tx, companyId: number, id: number, p: PresetInput, now: Date) =>
  tx
    .updateTable('column_preset')
    .set({ ...columnsOf(p), updated_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
/** Deletes a column preset. */
export const removePreset = (tx: Tx, companyId: number, id: number) =>
  tx.deleteFrom('column_preset').where('company_id', '=', companyId).where('id', '=', id).execute();
/** After a preset stopped being shared: it is no other user's default anymore. */
export const removeOtherDefaults = (tx: Tx, companyId: number, id: number, ownerId: number) =>
  tx
    .deleteFrom('column_preset_default')
    .where('company_id', '=', companyId)
    .where('preset_id', '=', id)
    .where('user_id', '<>', ownerId)
    .execute();
/** Makes the preset the user's default for the entity, or with `on` false no longer. */
export async function setDefault(
  tx: Tx,
  companyId: number,
  userId: number,
  entity: string,
  presetId: number,
  on: boolean,
): Promise<void> {
  if (on)
    await tx
      .insertInto('column_preset_default')
      .values({ company_id: companyId, user_id: userId, entity, preset_id: presetId })
      .onConflict((c) =>
        c.columns(['company_id', 'user_id', 'entity']).doUpdateSet({ preset_id: presetId }),
      )
      .execute();
  else
    await tx
      .deleteFrom('column_preset_default')
      .where('company_id', '=', companyId)
      .where('user_id', '=', userId)
      .where('preset_id', '=', presetId)
      .execute();
}
