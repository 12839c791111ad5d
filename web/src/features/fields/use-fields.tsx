import { Anchor } from '@mantine/core';
import { fields } from '#contract';
import type { EntityTypeId } from '#contract/fields/rules';
import {
  formatNumber,
  formatPhoneNumber,
  t,
  Time,
  useApiQuery,
  usePermission,
  type Column,
} from '#ui';
import { entityTypeKeys } from './labels.ts';

export type Field = fields.Field;
export type Value = fields.FieldValue;

/**
 * The custom fields of an entity type, including the organization's; empty for users without
 * permission.
 */
export function useFields(entity: EntityTypeId): { fields: readonly Field[]; loading: boolean } {
  const may = usePermission('fields.view');
  const { response, loading } = useApiQuery(
    fields.listFields,
    { query: { entityType: entityTypeKeys[entity] } },
    { enabled: may, staleTime: 30_000, silent: true },
  );
  return { fields: response?.data.filter((f) => f.entity_type_id === entity) ?? [], loading };
}

/** Formats a value for display. */
function ValueText({ field, value }: { field: Field; value: Value | undefined }) {
  if (!value) return <span style={{ color: 'var(--tl-quiet)' }}>–</span>;
  switch (field.type) {
    case 'boolean':
      return <>{value.value ? t('Yes') : t('No')}</>;
    case 'number':
      return <span className="tabular">{formatNumber(Number(value.value))}</span>;
    // A calendar day is the same in every time zone; noon keeps it from shifting.
    case 'date':
      return <Time at={`${String(value.value)}T12:00:00Z`} as="date" />;
    case 'phone':
      return (
        <Anchor href={`tel:${String(value.value)}`} c="inherit">
          {formatPhoneNumber(String(value.value))}
        </Anchor>
      );
    default:
      return <>{value.label}</>;
  }
}

/**
 * Custom field columns of a list: fields "shown in lists" are visible, the others can be chosen.
 */
export function useFieldColumns<R>(
  entity: EntityTypeId,
  valuesOf: (row: R) => readonly Value[] | undefined,
): Column<R>[] {
  return useFields(entity).fields.map((field) => ({
    key: `eav:${field.key}`,
    title: field.name,
    // Wide enough for the heading, which would otherwise be cut off.
    width: `minmax(${Math.max(90, 16 + field.name.length * 7)}px, 1fr)`,
    wideOnly: true,
    hidden: !field.is_visible_in_list,
    ...(field.type === 'number' ? { align: 'end' as const } : {}),
    cell: (row) => (
      <ValueText field={field} value={valuesOf(row)?.find((v) => v.attribute_id === field.id)} />
    ),
  }));
}
