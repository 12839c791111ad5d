import {
  entityTypes,
  isBlank,
  readValue,
  describeValue,
  type EntityTypeId,
  type FieldValueType,
} from '#contract/fields/rules';
import type { Actor } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { findField, fieldsFor, type FieldScope } from '../definitions/fields-for.ts';
import { lockField, type FieldRow } from '../definitions/store.ts';
import {
  removeValues,
  upsertValues,
  entitiesWithValue,
  valueRows,
  type NewValue,
  type ValueSource,
} from './store.ts';

/**
 * A value in a request: the field by `attribute_id`, `eav_attribute_id` or `key`; a blank value
 * removes the object's own.
 */
export interface ValueInput {
  attribute_id?: number | undefined;
  eav_attribute_id?: number | undefined;
  key?: string | undefined;
  value?: unknown;
  reason?: string | null | undefined;
  confidence?: number | null | undefined;
}
export interface ValueChange {
  field: FieldRow;
  /** As text; empty: none. */
  before: string;
  after: string;
  value: FieldValueType | null;
}
interface ValueWriteScope extends FieldScope {
  now: Date;
  actor: Pick<Actor, 'userId'>;
  /** Where values come from, unless the call says another; `user` without it. */
  valueSource?: ValueSource;
}
interface SetOptions {
  source?: ValueSource;
  /** Path of the values in the request; errors are at `<at>.<key>`. */
  at?: string;
  /** For new objects: required fields without a value are errors, too. */
  complete?: boolean;
}

interface ReadValues {
  set: {
    field: FieldRow;
    value: FieldValueType | null;
    reason: string | null;
    confidence: number | null;
  }[];
  errors: Record<string, string>;
}
/** Validates values against their fields; errors by the field's key. Doesn't use the database. */
export function readValues(
  fields: readonly FieldRow[],
  input: readonly ValueInput[],
  complete = false,
): ReadValues {
  const set = new Map<number, ReadValues['set'][number]>();
  const errors: Record<string, string> = {};
  for (const entry of input) {
    const name = entry.attribute_id ?? entry.eav_attribute_id ?? entry.key;
    const field = name === undefined ? undefined : findField(fields, name);
    if (!field) {
      errors[String(name ?? 'field')] = 'This custom field doesn’t exist.';
      continue;
    }
    const common = { field, reason: entry.reason ?? null, confidence: entry.confidence ?? null };
    if (isBlank(entry.value)) {
      if (field.is_required && field.default_value === null)
        errors[field.key] = `Enter ${field.name}.`;
      set.set(field.id, { ...common, value: null });
      continue;
    }
    const read = readValue(field, entry.value);
    if ('error' in read) errors[field.key] = read.error;
    else set.set(field.id, { ...common, value: read.value });
  }
  if (complete)
    for (const field of fields)
      if (field.is_required && field.default_value === null && !set.has(field.id))
        errors[field.key] = `Enter ${field.name}.`;
  return { set: [...set.values()], errors };
}

function alreadyHas(entityTypeId: EntityTypeId, field: { name: string }): string {
  const type = mustBe(
    entityTypes.find((each) => each.id === entityTypeId),
    'the entity type',
  );
  return `Another ${type.label.toLowerCase()} already has this ${field.name}.`;
}

/**
 * Sets these values of one object; other fields stay unchanged. Fails with 422 at the fields that are
 * wrong. Returns the changes, for the caller's history and event.
 */
export async function setValues(
  ctx: ValueWriteScope,
  entityTypeId: EntityTypeId,
  entityId: number,
  input: readonly ValueInput[],
  options: SetOptions = {},
): Promise<ValueChange[]> {
  const fields = await fieldsFor(ctx, entityTypeId);
  const { set, errors } = readValues(fields, input, options.complete);
  const at = options.at ?? 'eavAttributeValues';
  const failOnErrors = () => {
    if (Object.keys(errors).length)
      invalid(
        Object.fromEntries(Object.entries(errors).map(([key, why]) => [`${at}.${key}`, why])),
      );
  };
  failOnErrors();
  for (const { field, value } of set) {
    if (!field.is_unique || value === null) continue;
    await lockField(ctx.tx, field.id);
    if (
      (await entitiesWithValue(ctx.tx, ctx.companyId, field.id, field.type, value)).some(
        (id) => id !== entityId,
      )
    )
      errors[field.key] = alreadyHas(entityTypeId, field);
  }
  failOnErrors();

  const before = new Map(
    (await valueRows(ctx.tx, ctx.companyId, entityTypeId, [entityId])).map((row) => [
      row.field_id,
      row.value,
    ]),
  );
  const changed = set.filter((s) => (before.get(s.field.id) ?? null) !== s.value);
  await writeValues(
    ctx,
    entityTypeId,
    changed.map((s) => ({ ...s, entityId })),
    options.source ?? ctx.valueSource ?? 'user',
  );
  return changed.map(({ field, value }) => ({
    field,
    value,
    before: describeValue(field, before.get(field.id)),
    after: describeValue(field, value),
  }));
}

/**
 * Sets values of many objects in few statements. Returns errors by object ID and field key; of an object
 * with errors nothing is stored. A second object with the same unique value is an error.
 */
export async function setManyValues(
  ctx: ValueWriteScope,
  entityTypeId: EntityTypeId,
  rows: readonly { entityId: number; values: readonly ValueInput[] }[],
  options: SetOptions = {},
): Promise<Map<number, Record<string, string>>> {
  const fields = await fieldsFor(ctx, entityTypeId);
  const errorsByEntity = new Map<number, Record<string, string>>();
  const accepted: (ReadValues['set'][number] & { entityId: number })[] = [];
  const taken = new Map<string, number>();
  for (const { entityId, values } of rows) {
    const { set, errors } = readValues(fields, values, options.complete);
    for (const { field, value } of set) {
      if (!field.is_unique || value === null || errors[field.key]) continue;
      const name = `${field.id}:${String(value).toLowerCase()}`;
      if (!taken.has(name)) await lockField(ctx.tx, field.id);
      const takenBy = taken.get(name);
      const entitiesWithSame =
        takenBy !== undefined
          ? [takenBy]
          : await entitiesWithValue(ctx.tx, ctx.companyId, field.id, field.type, value);
      if (entitiesWithSame.some((id) => id !== entityId))
        errors[field.key] = alreadyHas(entityTypeId, field);
      else taken.set(name, entityId);
    }
    if (Object.keys(errors).length) errorsByEntity.set(entityId, errors);
    else accepted.push(...set.map((s) => ({ ...s, entityId })));
  }
  await writeValues(ctx, entityTypeId, accepted, options.source ?? 'import');
  return errorsByEntity;
}

async function writeValues(
  ctx: ValueWriteScope,
  entityTypeId: EntityTypeId,
  values: readonly (ReadValues['set'][number] & { entityId: number })[],
  source: ValueSource,
): Promise<void> {
  const put: NewValue[] = values.flatMap(({ entityId, field, value, reason, confidence }) =>
    value === null
      ? []
      : [{ entityId, fieldId: field.id, type: field.type, value, reason, confidence }],
  );
  const latest = [...new Map(put.map((v) => [`${v.entityId}:${v.fieldId}`, v])).values()];
  await upsertValues(ctx.tx, ctx.companyId, entityTypeId, latest, {
    source,
    userId: ctx.actor.userId || null,
    at: ctx.now,
  });
  await removeValues(
    ctx.tx,
    ctx.companyId,
    entityTypeId,
    values
      .filter((v) => v.value === null)
      .map((v) => ({ entityId: v.entityId, fieldId: v.field.id })),
  );
}

/** Deletes the values of objects that were removed. */
export const deleteValues = async (
  scope: FieldScope,
  entityTypeId: EntityTypeId,
  entityIds: readonly number[],
): Promise<void> => {
  const rows = await valueRows(scope.tx, scope.companyId, entityTypeId, entityIds);
  await removeValues(
    scope.tx,
    scope.companyId,
    entityTypeId,
    rows.map((r) => ({ entityId: r.entity_id, fieldId: r.field_id })),
  );
};
