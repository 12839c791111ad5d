import { fold } from '#contract/fold';
import type { RawBuilder } from 'kysely';
import {
  isBlank,
  readFilter,
  type EntityTypeId,
  type FieldFilter,
  type FieldValueType,
} from '#contract/fields/rules';
import { invalid } from '../../../platform/errors.ts';
import { findField, fieldsFor, type FieldScope } from '../definitions/fields-for.ts';
import { fieldCondition } from './store.ts';

/**
 * A list's filters on custom fields as SQL: `eav: { deal_value: '100..', stage: '3,5' }`, by key or ID.
 * Blank values are ignored (A §5). Fails with 422 at `eav.<key>` for values of the wrong type; unknown
 * fields go to `onUnknownField`. `entityId`: the list's ID column, such as sql`n.id`.
 */
export async function fieldFilter(
  scope: FieldScope,
  entityTypeId: EntityTypeId,
  input: Readonly<Record<string, unknown>> | undefined,
  entityId: RawBuilder<unknown>,
): Promise<RawBuilder<unknown>[]> {
  const conditions = Object.entries(input ?? {}).filter(([, value]) => !isBlank(value));
  if (!conditions.length) return [];
  const fields = await fieldsFor(scope, entityTypeId);
  const errors: Record<string, string> = {};
  const all = conditions.flatMap(([name, value]) => {
    const field = findField(fields, name);
    const read = field?.is_filterable ? readFilter(field, value) : null;
    if (!field || !read) {
      scope.onUnknownField?.(['eav', name]);
      return [];
    }
    if ('error' in read) {
      errors[`eav.${name}`] = read.error;
      return [];
    }
    return [
      fieldCondition(
        scope.companyId,
        entityTypeId,
        field,
        read.filter,
        defaultMatches(read.filter, field.default_value),
        entityId,
      ),
    ];
  });
  if (Object.keys(errors).length) invalid(errors);
  return all;
}

/** True when an object with only the field's default matches: the same comparison as in SQL. */
export function defaultMatches(filter: FieldFilter, value: FieldValueType | null): boolean {
  if ('is' in filter) return filter.is === 'set' ? value !== null : value === null;
  if (value === null) return false;
  if ('among' in filter) return filter.among.includes(value);
  if ('holds' in filter) return fold(String(value)).includes(fold(filter.holds));
  if ('begins' in filter)
    return String(value).toLowerCase().startsWith(filter.begins.toLowerCase());
  return (
    (filter.from === null || value >= filter.from) && (filter.to === null || value <= filter.to)
  );
}
