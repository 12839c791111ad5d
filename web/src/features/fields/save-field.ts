import { fields, type Body } from '#contract';
import type { EntityTypeId, FieldValueType, FieldType } from '#contract/fields/rules';
import { bindFieldErrors, confirmTyped, type ApiError, t, useApiMutation } from '#ui';
import { newChoice } from './ChoicesEditor.tsx';
import { entityTypeKeys } from './labels.ts';
import type { Replacement, UsedChoice } from './ReplaceChoices.tsx';
import type { Field } from './use-fields.tsx';
import type { UseFormReturnType } from '@mantine/form';

const invalidates = [
  fields.listFields,
  fields.listFieldEntities,
  fields.fieldCountStats,
  fields.fieldHistory,
  fields.listFieldOverrides,
];

export interface UsedChoices {
  choices: UsedChoice[];
  stay: { id: number; value: string }[];
}

/** The form's initial values; `field` null is a new field. */
export const initialValues = (entity: EntityTypeId, field: Field | null) => ({
  name: field?.name ?? '',
  key: '',
  description: field?.description ?? '',
  type: (field?.type ?? 'stringKeyword') as FieldType,
  choices: field?.choices.map((c) => newChoice(c.value, c.id, c.description)) ?? [
    newChoice(),
    newChoice(),
  ],
  defaultValue: (field?.defaultValue ?? null) as FieldValueType | null,
  is_required: field?.is_required ?? false,
  is_unique: field?.is_unique ?? false,
  is_visible_in_list: field?.is_visible_in_list ?? false,
  is_filterable: field?.is_filterable ?? true,
  ai_enabled: field?.ai.enabled ?? false,
  ai_prompt: field?.ai.prompt ?? '',
  ai_allow_null: field?.ai.allow_null ?? true,
  ai_with_reason: field?.ai.with_reason ?? true,
  scope: entity === 4 ? 'organization' : 'company',
});
export type FieldValues = ReturnType<typeof initialValues>;
type FieldFormState = UseFormReturnType<FieldValues>;

/** The choices to save, without blank rows; undefined for other types. */
const choicesToSave = (values: FieldValues) =>
  values.type === 'enum'
    ? values.choices
        .filter((c) => c.value.trim())
        .map((c, i) => ({
          ...(c.id !== null ? { id: c.id } : {}),
          value: c.value.trim(),
          description: c.description,
          sort_order: i + 1,
        }))
    : undefined;

/** The field as its default's control shows it: only saved choices can be a default. */
export const defaultField = (field: Field | null, values: FieldValues): Field => ({
  ...(field ?? ({} as Field)),
  id: field?.id ?? 0,
  name: t('Default'),
  description: t('Used when no value is set'),
  type: values.type,
  is_required: false,
  defaultValue: null,
  choices: values.choices
    .flatMap(({ id, value }) => (id === null ? [] : [{ id, value }]))
    .map((choice, i) => ({ ...choice, sort_order: i, description: '' })),
});

/** The requests of the form. `onUsed` gets the deleted choices that objects still have. */
export function useFieldMutations(form: FieldFormState, onUsed: (used: UsedChoices) => void) {
  const shared = {
    onFieldErrors: bindFieldErrors(form, { 'ai.prompt': 'ai_prompt' }),
    invalidates,
    silent: (error: ApiError) => {
      if (error.code !== 'field.choice_used') return false;
      const [used] = (error.body as { errors: UsedChoices[] }).errors;
      if (used) onUsed(used);
      return true;
    },
  };
  return {
    create: useApiMutation(fields.createField, {
      ...shared,
      success: t('Custom field created successfully'),
    }),
    update: useApiMutation(fields.updateField, {
      ...shared,
      success: t('Custom field updated successfully'),
    }),
    override: useApiMutation(fields.overrideField, {
      ...shared,
      success: t('Custom field updated successfully'),
    }),
    remove: useApiMutation(fields.deleteField, {
      invalidates,
      success: t('Custom field deleted successfully'),
    }),
    restore: useApiMutation(fields.deleteFieldOverride, {
      ...shared,
      success: t('Custom field override was deleted successfully'),
    }),
  };
}
type FieldMutations = ReturnType<typeof useFieldMutations>;

/** Saves changed parts only; the others keep following the organization. */
export function saveOverride(
  override: FieldMutations['override'],
  form: FieldFormState,
  id: number,
  replacements: Replacement[] | undefined,
): Promise<unknown> {
  const { values } = form;
  const choices = choicesToSave(values);
  return override.mutate({
    params: { id },
    body: {
      ...(form.isDirty('description') ? { description: values.description } : {}),
      ...(choices && form.isDirty('choices') ? { choices } : {}),
      ...(form.isDirty('defaultValue') ? { defaultValue: values.defaultValue } : {}),
      ...(replacements ? { replacements } : {}),
    },
  });
}

/**
 * Creates the field (`field` null) or updates it. Resolves to null after an error, which was
 * shown.
 */
export function saveField(
  { create, update }: FieldMutations,
  values: FieldValues,
  entity: EntityTypeId,
  field: Field | null,
  replacements: Replacement[] | undefined,
): Promise<unknown> {
  const choices = choicesToSave(values);
  const params = { type: entityTypeKeys[entity] };
  const body = {
    name: values.name,
    description: values.description,
    type: values.type,
    is_required: values.is_required,
    is_unique: values.is_unique,
    is_visible_in_list: values.is_visible_in_list,
    is_filterable: values.is_filterable,
    ...(entity === 6 && {
      ai: {
        enabled: values.ai_enabled,
        prompt: values.ai_prompt,
        allow_null: values.ai_allow_null,
        with_reason: values.ai_with_reason,
      },
    }),
    ...(choices ? { choices } : {}),
    ...(replacements ? { replacements } : {}),
    defaultValue: values.defaultValue,
  };
  if (field) return update.mutate({ params: { ...params, id: field.id }, body });
  return create.mutate({
    params,
    body: {
      ...body,
      ...(values.key.trim() ? { key: values.key } : {}),
      scope: values.scope as 'company',
    } as Body<typeof fields.createField>,
  });
}

/** Drops the company's override of an organization's field; null without one or on error. */
export const restoreField = async (
  { mutate }: FieldMutations['restore'],
  field: Field | null,
  replacements: Replacement[] | undefined,
): Promise<unknown> =>
  field?.overriding
    ? mutate({
        params: { id: field.id, overrideId: field.overriding.override_id },
        body: replacements ? { replacements } : {},
      })
    : null;

/** Asks before a field is deleted. `filled`: how many objects have a value. False keeps it. */
export const confirmDelete = (field: Field, filled: number): Promise<boolean> =>
  confirmTyped({
    title: t('Delete this custom field?'),
    body: filled
      ? t(
          '{n, plural, one {# value is} other {# values are}} deleted, and it’s removed from columns and filters. This can’t be undone.',
          { n: filled },
        )
      : t('It’s removed from columns and filters. This can’t be undone.'),
    confirmLabel: t('Delete'),
    requiredText: field.name,
  });
