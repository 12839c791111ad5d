import { sql, type RawBuilder } from 'kysely';
import type { EntityTypeId, FieldFilter, FieldValueType, FieldType } from '#contract/fields/rules';
import type { Tx } from '../../../platform/db.ts';

export const owns = ['field_value', 'organization_field_value'] as const;

const columnOf = {
  boolean: 'boolean_value',
  date: 'date_value',
  enum: 'choice_id',
  number: 'number_value',
  phone: 'text_value',
  stringText: 'text_value',
  stringKeyword: 'text_value',
} as const satisfies Record<FieldType, string>;
const valueColumn = sql`coalesce(to_jsonb(v.text_value), to_jsonb(v.number_value), to_jsonb(v.date_value), to_jsonb(v.boolean_value), to_jsonb(v.choice_id)) value`;

export type ValueSource = 'user' | 'ai' | 'import' | 'api';
export interface ValueRow {
  entity_id: number;
  field_id: number;
  value: FieldValueType;
  source: ValueSource;
  reason: string | null;
  confidence: number | null;
  updated_at: Date;
  updated_by: number | null;
}
/** What the objects have themselves; an organization's values lie with the organization. */
export async function valueRows(
  tx: Tx,
  companyId: number,
  entityTypeId: EntityTypeId,
  entityIds: readonly number[],
): Promise<ValueRow[]> {
  if (!entityIds.length) return [];
  return entityTypeId === 4
    ? (
        await sql<ValueRow>`select v.organization_id entity_id, v.field_id, ${valueColumn}, v.source, v.reason, v.confidence, v.updated_at, v.updated_by from organization_field_value v
        where v.organization_id = (select c.organization_id from company c where c.id = ${companyId}) and v.organization_id = any (${[...entityIds]}::bigint[])`.execute(
          tx,
        )
      ).rows
    : (
        await sql<ValueRow>`select v.entity_id, v.field_id, ${valueColumn}, v.source, v.reason, v.confidence, v.updated_at, v.updated_by from field_value v
        where v.company_id = ${companyId} and v.entity_type_id = ${entityTypeId} and v.entity_id = any (${[...entityIds]}::bigint[])`.execute(
          tx,
        )
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
export async function upsertValues(
  tx: Tx,
  companyId: number,
  entityTypeId: EntityTypeId,
  values: readonly NewValue[],
  by: { source: ValueSource; userId: number | null; at: Date },
): Promise<void> {
  const row = (v: NewValue) => ({
    text_value: null,
    number_value: null,
    date_value: null,
    boolean_value: null,
    choice_id: null,
    [columnOf[v.type]]: v.value,
    field_id: v.fieldId,
    source: by.source,
    reason: v.reason,
    confidence: v.confidence,
    updated_at: by.at,
    updated_by: by.userId,
  });
  const excludedColumns = (c: { ref(name: string): unknown }) =>
    Object.fromEntries(
      [
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
      ].map((name) => [name, c.ref(`excluded.${name}`)]),
    );
  for (let from = 0; from < values.length; from += 2000) {
    const some = values.slice(from, from + 2000);
    if (entityTypeId === 4)
      await tx
        .insertInto('organization_field_value')
        .values(some.map((v) => ({ organization_id: v.entityId, ...row(v) })))
        .onConflict((c) => c.columns(['organization_id', 'field_id']).doUpdateSet(excludedColumns))
        .execute();
    else
      await tx
        .insertInto('field_value')
        .values(
          some.map((v) => ({
            company_id: companyId,
            entity_type_id: entityTypeId,
            entity_id: v.entityId,
            ...row(v),
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

/** Objects that have this value already: for fields that ask for no two alike. */
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
    }>`select v.entity_id from field_value v where v.company_id = ${companyId} and v.field_id = ${fieldId} and ${same} limit 2`.execute(
      tx,
    )
  ).rows.map((r) => r.entity_id);
};

/** The comparison of one field in SQL, as its type compares. */
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
  if ('holds' in filter) return sql`v.text_value ilike ${`%${like(filter.holds)}%`}`;
  if ('begins' in filter)
    return sql`lower(left(v.text_value, 255)) like ${`${like(filter.begins.toLowerCase())}%`}`;
  const cast = type === 'date' ? sql`date` : sql`numeric`;
  const ends = [sql`${column} is not null`];
  if (filter.from !== null) ends.push(sql`${column} >= ${filter.from}::${cast}`);
  if (filter.to !== null) ends.push(sql`${column} <= ${filter.to}::${cast}`);
  return sql.join(ends, sql` and `);
}

/** The condition on an object: its own value fits, or it has none and the field's default fits (`byDefault`). */
export function fieldCondition(
  companyId: number,
  entityTypeId: EntityTypeId,
  field: { id: number; type: FieldType },
  filter: FieldFilter,
  byDefault: boolean,
  entityId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const own = sql`select from field_value v where v.company_id = ${companyId} and v.entity_type_id = ${entityTypeId} and v.entity_id = ${entityId} and v.field_id = ${field.id}`;
  const none = sql`not exists (${own})`;
  const some =
    'is' in filter
      ? filter.is === 'set'
        ? sql`exists (${own})`
        : sql`false`
      : sql`exists (${own} and ${comparisonSql(field.type, filter)})`;
  return byDefault ? sql`(${some} or ${none})` : some;
}

// ---- counts and choices ----------------------------------------------------------------------------------------------

export const countEntities = async (
  tx: Tx,
  companyId: number,
  entityTypeId: EntityTypeId,
): Promise<number> =>
  (
    await sql<{ n: number }>`select field_entities(${companyId}, ${entityTypeId}::int) n`.execute(
      tx,
    )
  ).rows[0]!.n;
/** Whose values: one company's, or (asked of the directory, for changing an organization's field) those of all its companies. */
export type ValueScope = { companyId: number } | { organizationId: number };
const valuesOfField = (whose: ValueScope, field: { id: number; entity_type_id: number }) => {
  const organization =
    'companyId' in whose
      ? sql`(select c.organization_id from company c where c.id = ${whose.companyId})`
      : sql`${whose.organizationId}`;
  if (field.entity_type_id === 4)
    return sql`organization_field_value v where v.organization_id = ${organization} and v.field_id = ${field.id}`;
  return 'companyId' in whose
    ? sql`field_value v where v.company_id = ${whose.companyId} and v.field_id = ${field.id}`
    : sql`field_value v where v.company_id in (select c.id from company c where c.organization_id = ${organization}) and v.field_id = ${field.id}`;
};
export const countFilled = async (
  tx: Tx,
  whose: ValueScope,
  field: { id: number; entity_type_id: number },
): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::int n from ${valuesOfField(whose, field)}`.execute(tx))
    .rows[0]!.n;
export const countByChoice = async (
  tx: Tx,
  whose: ValueScope,
  field: { id: number; entity_type_id: number },
): Promise<Map<number, number>> =>
  new Map(
    (
      await sql<{
        choice_id: number;
        n: number;
      }>`select v.choice_id, count(*)::int n from ${valuesOfField(whose, field)} and v.choice_id is not null group by 1`.execute(
        tx,
      )
    ).rows.map((r) => [r.choice_id, r.n]),
  );
/** Do two objects of one company have the same value? */
export const hasDuplicates = async (
  tx: Tx,
  whose: ValueScope,
  field: { id: number; entity_type_id: number },
): Promise<boolean> =>
  field.entity_type_id !== 4 &&
  (
    await sql`select from ${valuesOfField(whose, field)} group by v.company_id, lower(v.text_value), v.number_value, v.date_value having count(*) > 1 limit 1`.execute(
      tx,
    )
  ).rows.length > 0;
/** Everybody's own value of a field, or those who have one choice of it. */
export const ownValuesOf = async (
  tx: Tx,
  companyId: number,
  fieldId: number,
  choiceId: number | null,
): Promise<{ entity_id: number; value: FieldValueType }[]> =>
  (
    await sql<{
      entity_id: number;
      value: FieldValueType;
    }>`select v.entity_id, ${valueColumn} from field_value v where v.company_id = ${companyId} and v.field_id = ${fieldId} ${choiceId === null ? sql`` : sql`and v.choice_id = ${choiceId}`} order by v.entity_id`.execute(
      tx,
    )
  ).rows;
/** Every object with one choice gets another, or none. */
export async function replaceChoice(
  tx: Tx,
  companyId: number,
  field: { id: number; entity_type_id: number },
  from: number,
  to: number | null,
): Promise<void> {
  const where =
    field.entity_type_id === 4
      ? sql`organization_id = (select c.organization_id from company c where c.id = ${companyId}) and field_id = ${field.id} and choice_id = ${from}`
      : sql`company_id = ${companyId} and field_id = ${field.id} and choice_id = ${from}`;
  const table = sql.table(field.entity_type_id === 4 ? 'organization_field_value' : 'field_value');
  await (
    to === null
      ? sql`delete from ${table} where ${where}`
      : sql`update ${table} set choice_id = ${to} where ${where}`
  ).execute(tx);
}
export const removeValuesOfField = (
  tx: Tx,
  companyId: number,
  field: { id: number; entity_type_id: number },
) =>
  field.entity_type_id === 4
    ? sql`delete from organization_field_value where organization_id = (select c.organization_id from company c where c.id = ${companyId}) and field_id = ${field.id}`.execute(
        tx,
      )
    : sql`delete from field_value where company_id = ${companyId} and field_id = ${field.id}`.execute(
        tx,
      );
