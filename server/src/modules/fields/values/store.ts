import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { EntityTypeId, FieldFilter, FieldValueType, FieldType } from '#contract/fields/rules';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import { hasFolded } from '../../../platform/folded.ts';

const columnOf = {
  boolean: 'boolean_value',
  date: 'date_value',
  enum: 'choice_id',
  number: 'number_value',
  phone: 'text_value',
  stringText: 'text_value',
  stringKeyword: 'text_value',
} as const satisfies Record<FieldType, string>;
export const valueColumn = sql`coalesce(to_jsonb(v.text_value), to_jsonb(v.number_value),
    to_jsonb(v.date_value), to_jsonb(v.boolean_value), to_jsonb(v.choice_id)) value`;

export type ValueSource = 'user' | 'ai' | 'import' | 'api';
/** An object's own value of a field; `value` is the one column of its type that isn't null. */
export interface ValueRow extends Pick<
  Selectable<Tables['field_value']>,
  'entity_id' | 'field_id' | 'reason' | 'confidence' | 'updated_at' | 'updated_by'
> {
  value: FieldValueType;
  source: ValueSource;
}
/** The objects' own values, without defaults. An organization's are in a table of their own. */
export async function valueRows(
  tx: Tx,
  companyId: number,
  entityTypeId: EntityTypeId,
  entityIds: readonly number[],
): Promise<ValueRow[]> {
  if (!entityIds.length) return [];
  return entityTypeId === 4
    ? (
        await sql<ValueRow>`select v.organization_id entity_id, v.field_id, ${valueColumn},
          v.source, v.reason, v.confidence, v.updated_at, v.updated_by
          from organization_field_value v
        where v.organization_id = (select c.organization_id
            from company c where c.id = ${companyId})
          and v.organization_id = any (${[...entityIds]}::bigint[])`.execute(tx)
      ).rows
    : (
        await sql<ValueRow>`select v.entity_id, v.field_id, ${valueColumn}, v.source, v.reason,
          v.confidence, v.updated_at, v.updated_by from field_value v
        where v.company_id = ${companyId} and v.entity_type_id = ${entityTypeId}
          and v.entity_id = any (${[...entityIds]}::bigint[])`.execute(tx)
      ).rows;
}

export interface NewValue {
  entityId: number;
  fieldId: number;
  type: FieldType;
  value: FieldValueType;
  reason: string | null;
  confidence: number | null;
}
/** Values per statement. */
const insertBatchSize = 2000;
const valueColumns = [
  'text_value',
  'number_value',
  'date_value',
  'boolean_value',
  'choice_id',
  'source',
  'reason',
  'confidence',
  'updated_at',
  'updated_by',
] as const;
const excludedColumns = (columns: { ref(name: string): unknown }) =>
  Object.fromEntries(valueColumns.map((name) => [name, columns.ref(`excluded.${name}`)]));
/** Sets these values, replacing earlier ones of the same object and field. */
export async function upsertValues(
  tx: Tx,
  companyId: number,
  entityTypeId: EntityTypeId,
  values: readonly NewValue[],
  by: { source: ValueSource; userId: number | null; at: Date },
): Promise<void> {
  const columnsOf = (value: NewValue) => ({
    text_value: null,
    number_value: null,
    date_value: null,
    boolean_value: null,
    choice_id: null,
    [columnOf[value.type]]: value.value,
    field_id: value.fieldId,
    source: by.source,
    reason: value.reason,
    confidence: value.confidence,
    updated_at: by.at,
    updated_by: by.userId,
  });
  for (let from = 0; from < values.length; from += insertBatchSize) {
    const batch = values.slice(from, from + insertBatchSize);
    if (entityTypeId === 4)
      await tx
        .insertInto('organization_field_value')
        .values(batch.map((value) => ({ organization_id: value.entityId, ...columnsOf(value) })))
        .onConflict((c) => c.columns(['organization_id', 'field_id']).doUpdateSet(excludedColumns))
        .execute();
    else
      await tx
        .insertInto('field_value')
        .values(
          batch.map((value) => ({
            company_id: companyId,
            entity_type_id: entityTypeId,
            entity_id: value.entityId,
            ...columnsOf(value),
          })),
        )
        .onConflict((c) =>
          c
            .columns(['company_id', 'entity_type_id', 'entity_id', 'field_id'])
            .doUpdateSet(excludedColumns),
        )
        .execute();
  }
}
/** Deletes values of fields, so that their objects show the defaults again. */
export async function removeValues(
  tx: Tx,
  companyId: number,
  entityTypeId: EntityTypeId,
  gone: readonly { entityId: number; fieldId: number }[],
): Promise<void> {
  for (const [fieldId, entityIds] of groupByField(gone)) {
    if (entityTypeId === 4)
      await tx
        .deleteFrom('organization_field_value')
        .where('organization_id', 'in', entityIds)
        .where('field_id', '=', fieldId)
        .execute();
    else
      await tx
        .deleteFrom('field_value')
        .where('company_id', '=', companyId)
        .where('entity_type_id', '=', entityTypeId)
        .where('entity_id', 'in', entityIds)
        .where('field_id', '=', fieldId)
        .execute();
  }
}
const groupByField = (gone: readonly { entityId: number; fieldId: number }[]) => {
  const groups = new Map<number, number[]>();
  for (const { entityId, fieldId } of gone)
    groups.set(fieldId, [...(groups.get(fieldId) ?? []), entityId]);
  return groups;
};

/** Objects with this value (at most two), for unique fields. */
export const entitiesWithValue = async (
  tx: Tx,
  companyId: number,
  fieldId: number,
  type: FieldType,
  value: FieldValueType,
): Promise<number[]> => {
  const same =
    type === 'stringKeyword'
      ? sql`lower(left(v.text_value, 255)) = ${String(value).toLowerCase()}`
      : sql`v.${sql.ref(columnOf[type])} = ${value}`;
  return (
    await sql<{
      entity_id: number;
    }>`select v.entity_id from field_value v
      where v.company_id = ${companyId} and v.field_id = ${fieldId} and ${same} limit 2`.execute(tx)
  ).rows.map((r) => r.entity_id);
};

/** A filter on one field as SQL, by the field's type. */
function comparisonSql(
  type: FieldType,
  filter: Exclude<FieldFilter, { is: 'set' | 'empty' }>,
): RawBuilder<unknown> {
  const column = sql`v.${sql.ref(columnOf[type])}`;
  const like = (text: string) => text.replace(/[%_\\]/g, '\\$&');
  if ('among' in filter) {
    const cast = { boolean: sql`boolean[]`, enum: sql`bigint[]`, phone: sql`text[]` }[
      type as 'boolean'
    ];
    return sql`${column} = any (${filter.among}::${cast})`;
  }
  if ('holds' in filter) return hasFolded(sql`v.text_value`, filter.holds);
  if ('begins' in filter)
    return sql`lower(left(v.text_value, 255)) like ${`${like(filter.begins.toLowerCase())}%`}`;
  const cast = type === 'date' ? sql`date` : sql`numeric`;
  const ends = [sql`${column} is not null`];
  if (filter.from !== null) ends.push(sql`${column} >= ${filter.from}::${cast}`);
  if (filter.to !== null) ends.push(sql`${column} <= ${filter.to}::${cast}`);
  return sql.join(ends, sql` and `);
}

/**
 * The condition on an object: its own value matches, or it has none and the default does
 * (`byDefault`).
 */
export function fieldCondition(
  companyId: number,
  entityTypeId: EntityTypeId,
  field: { id: number; type: FieldType },
  filter: FieldFilter,
  byDefault: boolean,
  entityId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const own = sql`select from field_value v where v.company_id = ${companyId} and v.entity_type_id =
    ${entityTypeId} and v.entity_id = ${entityId} and v.field_id = ${field.id}`;
  const none = sql`not exists (${own})`;
  const some =
    'is' in filter
      ? filter.is === 'set'
        ? sql`exists (${own})`
        : sql`false`
      : sql`exists (${own} and ${comparisonSql(field.type, filter)})`;
  return byDefault ? sql`(${some} or ${none})` : some;
}
