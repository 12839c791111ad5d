import type { fields as contract } from '#contract';
import { describeValue, type EntityTypeId } from '#contract/fields/rules';
import { mustBe } from '../../../platform/must-be.ts';
import { fieldsFor, type FieldScope } from '../definitions/fields-for.ts';
import type { FieldRow } from '../definitions/store.ts';
import { valueRows, type ValueRow } from './store.ts';

/**
 * The custom values of these objects, in the order of the fields. Without an own value, the field's
 * default (`source: 'default'`). Has an entry for every ID. Two statements, however many objects.
 */
export async function valuesOf(
  scope: FieldScope,
  entityTypeId: EntityTypeId,
  entityIds: readonly number[],
): Promise<Map<number, contract.FieldValue[]>> {
  const fields = entityIds.length ? await fieldsFor(scope, entityTypeId) : [];
  const rows = fields.length
    ? await valueRows(scope.tx, scope.companyId, entityTypeId, entityIds)
    : [];
  const own = new Map(rows.map((row) => [`${row.entity_id}:${row.field_id}`, row]));
  return new Map(
    entityIds.map((id) => [
      id,
      fields.flatMap((field) => presentValue(field, own.get(`${id}:${field.id}`)) ?? []),
    ]),
  );
}

/** The custom values of one object, in the order of the fields. */
export const valuesOfOne = async (
  scope: FieldScope,
  entityTypeId: EntityTypeId,
  entityId: number,
): Promise<contract.FieldValue[]> =>
  mustBe((await valuesOf(scope, entityTypeId, [entityId])).get(entityId), 'values of the object');

/** A value as the API returns it; without a row, the field's default. Null: neither. */
function presentValue(field: FieldRow, row: ValueRow | undefined): contract.FieldValue | null {
  if (!row)
    return field.default_value === null
      ? null
      : {
          attribute_id: field.id,
          key: field.key,
          value: field.default_value,
          label: describeValue(field, field.default_value),
          source: 'default',
          updated_at: null,
          updated_by: null,
        };
  // Removed choices are replaced by jobs; until then the value counts as none.
  if (field.type === 'enum' && !field.choices.some((c) => c.id === row.value)) return null;
  return {
    attribute_id: field.id,
    key: field.key,
    value: row.value,
    label: describeValue(field, row.value),
    source: row.source,
    updated_at: new Date(row.updated_at).toISOString(),
    updated_by: row.updated_by,
    ...(row.reason !== null ? { reason: row.reason } : {}),
    ...(row.confidence !== null ? { confidence: row.confidence } : {}),
  };
}
