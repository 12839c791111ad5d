import type { fields as contract } from '#contract';
import { organizationOfField, type FieldRow } from './store.ts';

/**
 * A field as the API returns it, with the company's override of an organization's field applied.
 */
export const presentField = (row: FieldRow): contract.Field => ({
  id: row.id,
  entity_type_id: row.entity_type_id,
  key: row.key,
  name: row.name,
  description: row.description,
  type: row.type,
  choices: row.choices,
  defaultValue: row.default_value,
  is_required: row.is_required,
  is_unique: row.is_unique,
  is_visible_in_list: row.is_visible_in_list,
  is_filterable: row.is_filterable,
  ai: {
    enabled: row.ai.enabled ?? false,
    prompt: row.ai.prompt ?? '',
    allow_null: row.ai.allow_null ?? true,
    with_reason: row.ai.with_reason ?? true,
  },
  scope:
    row.company_id !== null
      ? { company_id: row.company_id }
      : { organization_id: organizationOfField(row) },
  overriding:
    row.override_id === null ? null : { attribute_id: row.id, override_id: row.override_id },
  created_at: new Date(row.created_at).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
});
