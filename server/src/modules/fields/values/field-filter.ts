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
 * The conditions of a list for what it was asked about custom fields: `eav: { deal_value: '100..', stage: '3,5' }`, by key or
 * id. Values compare in SQL as their type does; blank ones are dropped (A §5); a value that is none of its type is
 * refused at `eav.<key>`; a field that is not here is reported to `onUnknownField`. `entityId` is the list's own column, such as sql`n.id`.
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

/** Does an object that has only the field's default fit? The same comparison as in SQL, said once more for one value. */
export function defaultMatches(filter: FieldFilter, value: FieldValueType | null): boolean {
  if ('is' in filter) return filter.is === 'set' ? value !== null : value === null;
  if (value === null) return false;
  if ('among' in filter) return filter.among.includes(value);
  if ('holds' in filter) return String(value).toLowerCase().includes(filter.holds.toLowerCase());
  if ('begins' in filter)
    return String(value).toLowerCase().startsWith(filter.begins.toLowerCase());
  return (
    (filter.from === null || value >= filter.from) && (filter.to === null || value <= filter.to)
  );
}
