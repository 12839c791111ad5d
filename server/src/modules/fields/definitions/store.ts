import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { EntityTypeId, FieldChoice, FieldValueType, FieldType } from '#contract/fields/rules';
import type { Tx } from '../../../platform/db.ts';
import { mustBe } from '../../../platform/must-be.ts';
import type { Tables } from '../../../platform/tables.ts';
import { foldedPattern } from '../../../platform/folded.ts';

/** A field of a company, or of its organization with the company's override applied. */
export interface FieldRow extends Omit<Selectable<Tables['field']>, 'company_id' | 'created_by'> {
  /** Null: the organization's field. */
  company_id: number | null;
  /** Null: the company's own field. */
  organization_id: number | null;
  entity_type_id: EntityTypeId;
  type: FieldType;
  choices: FieldChoice[];
  default_value: FieldValueType | null;
  ai: { enabled?: boolean; prompt?: string; allow_null?: boolean; with_reason?: boolean };
  /** The company's override of the organization's field; null: none. */
  override_id: number | null;
}

const sharedColumns = sql`f.entity_type_id, f.key, f.name, f.type, f.is_required, f.is_unique,
  f.is_visible_in_list, f.is_filterable, f.ai, f.created_at, f.updated_at`;
/** The organization of a field that is not the company's own; throws for the company's own. */
export const organizationOfField = (row: Pick<FieldRow, 'organization_id'>): number =>
  mustBe(row.organization_id, 'organization of a field that is not the company’s own');
const organizationOf = (companyId: number) =>
  sql`(select c.organization_id from company c where c.id = ${companyId})`;

/** The company's and its organization's fields, in the order of creation. */
export async function fieldRows(
  tx: Tx,
  companyId: number,
  filter: {
    entityTypeId?: EntityTypeId | undefined;
    id?: number | undefined;
    search?: string | undefined;
  } = {},
): Promise<FieldRow[]> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (filter.entityTypeId) conditions.push(sql`f.entity_type_id = ${filter.entityTypeId}`);
  if (filter.id) conditions.push(sql`f.id = ${filter.id}`);
  if (filter.search) {
    const like = foldedPattern(filter.search);
    conditions.push(
      sql`(folded(f.name) like ${like} or folded(f.key) like ${like}
        or folded(f.description) like ${like})`,
    );
  }
  const where = sql.join(conditions, sql` and `);
  const { rows } = await sql<FieldRow>`
    select f.id, f.company_id, null::bigint organization_id, f.description, f.choices,
      f.default_value, ${sharedColumns}, null::bigint override_id
      from field f where f.company_id = ${companyId} and ${where}
    union all
    select f.id, null,
      f.organization_id, coalesce(o.description, f.description), coalesce(o.choices, f.choices),
      case when o.has_default then o.default_value else f.default_value end, ${sharedColumns}, o.id
      from organization_field f left join field_override o on o.company_id = ${companyId}
        and o.field_id = f.id where f.organization_id = ${organizationOf(companyId)} and ${where}
    order by created_at, id`.execute(tx);
  return rows.map((row) => ({
    ...row,
    choices: [...row.choices].sort((a, b) => a.sort_order - b.sort_order),
  }));
}
/** The fields of an organization for one kind of object, without companies' overrides. */
export const organizationFieldRows = async (
  tx: Tx,
  organizationId: number,
  entityTypeId: EntityTypeId,
): Promise<FieldRow[]> =>
  (
    await sql<FieldRow>`select f.id, null company_id, f.organization_id, f.description, f.choices,
        f.default_value, ${sharedColumns}, null::bigint override_id
      from organization_field f where f.organization_id = ${organizationId}
        and f.entity_type_id = ${entityTypeId} order by f.created_at, f.id`.execute(tx)
  ).rows;
/** One field; undefined: neither the company nor its organization has it. */
export const fieldRow = async (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<FieldRow | undefined> => (await fieldRows(tx, companyId, { id }))[0];

/** An organization's field without overrides. */
export const organizationFieldRow = async (tx: Tx, organizationId: number, id: number) =>
  (
    await sql<
      Pick<FieldRow, 'description' | 'choices' | 'default_value'>
    >`select description, choices, default_value
      from organization_field where organization_id = ${organizationId} and id = ${id}`.execute(tx)
  ).rows[0];

/** Locks the field for changes of it and of unique values until the transaction ends. */
export const lockField = (tx: Tx, fieldId: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`field:${fieldId}`}, 19))`.execute(tx);

export interface FieldInput {
  entity_type_id: number;
  key: string;
  name: string;
  description: string;
  type: FieldType;
  choices: readonly FieldChoice[];
  default_value: FieldValueType | null;
  is_required: boolean;
  is_unique: boolean;
  is_visible_in_list: boolean;
  is_filterable: boolean;
  ai: FieldRow['ai'];
}
/** The input as the tables store it: JSON columns as text. Parts left out stay out. */
const columns = (f: Partial<FieldInput>) => ({
  ...f,
  ...(f.choices !== undefined ? { choices: JSON.stringify(f.choices) } : {}),
  ...(f.default_value !== undefined
    ? { default_value: f.default_value === null ? null : JSON.stringify(f.default_value) }
    : {}),
  ...(f.ai !== undefined ? { ai: JSON.stringify(f.ai) } : {}),
});
/** Creates a field and returns its ID; undefined: the key is taken. */
export async function insertField(
  tx: Tx,
  owner: { companyId: number } | { organizationId: number },
  f: FieldInput,
  by: number | null,
  at: Date,
): Promise<number | undefined> {
  const row = {
    ...f,
    choices: JSON.stringify(f.choices),
    default_value: f.default_value === null ? null : JSON.stringify(f.default_value),
    ai: JSON.stringify(f.ai),
    created_by: by,
    created_at: at,
    updated_at: at,
  };
  const inserted =
    'companyId' in owner
      ? await tx
          .insertInto('field')
          .values({ company_id: owner.companyId, ...row })
          .onConflict((c) => c.columns(['company_id', 'entity_type_id', 'key']).doNothing())
          .returning('id')
          .executeTakeFirst()
      : await tx
          .insertInto('organization_field')
          .values({ organization_id: owner.organizationId, ...row })
          .onConflict((c) => c.columns(['organization_id', 'entity_type_id', 'key']).doNothing())
          .returning('id')
          .executeTakeFirst();
  return inserted?.id;
}
/** Changes the field itself; overrides are changed by `upsertOverride`. */
export async function patchField(
  tx: Tx,
  row: FieldRow,
  patch: Partial<FieldInput>,
  at: Date,
): Promise<void> {
  const set = { ...columns(patch), updated_at: at };
  if (row.company_id)
    await tx
      .updateTable('field')
      .set(set)
      .where('company_id', '=', row.company_id)
      .where('id', '=', row.id)
      .execute();
  else
    await tx
      .updateTable('organization_field')
      .set(set)
      .where('organization_id', '=', organizationOfField(row))
      .where('id', '=', row.id)
      .execute();
}
/** Deletes a field of the company, or of its organization. */
export async function removeField(tx: Tx, row: FieldRow): Promise<void> {
  if (row.company_id)
    await tx
      .deleteFrom('field')
      .where('company_id', '=', row.company_id)
      .where('id', '=', row.id)
      .execute();
  else
    await tx
      .deleteFrom('organization_field')
      .where('organization_id', '=', organizationOfField(row))
      .where('id', '=', row.id)
      .execute();
}
/** New IDs from the database's sequence, for choices that are stored inside JSON. */
export const nextIds = async (tx: Tx, n: number): Promise<number[]> =>
  n === 0
    ? []
    : (
        await sql<{ id: number }>`select next_id() id from generate_series(1, ${n}::int)`.execute(
          tx,
        )
      ).rows.map((r) => r.id);
