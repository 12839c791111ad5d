import { useEffect, useRef } from 'react';
import { Stack } from '@mantine/core';
import { describeValue, type EntityTypeId, type FieldValueType } from '#contract/fields/rules';
import { formatPhoneNumber, t, useEditableValue } from '#ui';
import { FieldInput, type CommitHandlers } from './FieldInput.tsx';
import { useFields, type Field, type Value } from './use-fields.tsx';

/** Body for `eavAttributeValues`: null clears the object's value. */
export interface SetValue {
  attribute_id: number;
  value: FieldValueType | null;
}
interface CustomFieldsProps {
  entity: EntityTypeId;
  values: readonly Value[];
  /**
   * Called with the changed values only: text and numbers on blur, choices immediately. With
   * `at="change"`, on every key.
   */
  onChange: (changed: SetValue[]) => void;
  at?: 'leave' | 'change';
  disabled?: boolean;
  /**
   * The server's errors by field key, or the `fields` of the API error
   * (`eavAttributeValues.stage`).
   */
  errors?: Readonly<Record<string, string>>;
}

/**
 * All custom fields of an object, each with the control of its type. Renders nothing when there are
 * none.
 */
export function CustomFields({
  entity,
  values,
  onChange,
  at = 'leave',
  disabled = false,
  errors = {},
}: CustomFieldsProps) {
  const { fields } = useFields(entity);
  if (!fields.length) return null;
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <CustomField
          key={field.id}
          field={field}
          value={values.find((v) => v.attribute_id === field.id)}
          at={at}
          disabled={disabled}
          error={errors[field.key] ?? errors[`eavAttributeValues.${field.key}`]}
          onChange={(value) => onChange([{ attribute_id: field.id, value }])}
        />
      ))}
    </Stack>
  );
}

interface CustomFieldProps {
  field: Field;
  value: Value | undefined;
  at: 'leave' | 'change';
  disabled: boolean;
  error: string | undefined;
  onChange: (value: FieldValueType | null) => void;
}

function CustomField({ disabled, error, ...props }: CustomFieldProps) {
  const { draft, edit, commitHandlers } = useFieldDraft(props);
  return (
    <FieldInput
      field={props.field}
      value={draft}
      disabled={disabled}
      error={error}
      placeholder={defaultText(props.field)}
      onChange={edit}
      {...(commitHandlers && { commitHandlers })}
    />
  );
}

/** The default as a placeholder: "Gold (default)"; undefined when the field has none. */
function defaultText(field: Field): string | undefined {
  if (field.defaultValue === null) return undefined;
  const yesOrNo = field.defaultValue ? t('Yes') : t('No');
  return t('{value} (default)', {
    value: field.type === 'boolean' ? yesOrNo : describeValue(field, field.defaultValue),
  });
}

/**
 * The value being edited. It is saved on every change, or (`commitHandlers`) when the control is
 * left.
 */
function useFieldDraft({
  field,
  value,
  at,
  onChange,
}: Omit<CustomFieldProps, 'disabled' | 'error'>) {
  // A default isn't a value: it is the placeholder, and shows again when the value is cleared.
  const own = value === undefined || value.source === 'default' ? null : value.value;
  const stored = field.type === 'phone' && own !== null ? formatPhoneNumber(String(own)) : own;
  const { value: draft, edit, finish, restore } = useEditableValue<FieldValueType | null>(stored);
  const latest = useRef(draft);
  const atOnce = at === 'change' || field.type === 'enum' || field.type === 'boolean';
  const leave = useRef(() => {});
  leave.current = () => {
    if (finish()) onChange(latest.current);
  };
  // Closing a drawer unmounts the field without a blur, so save here as well.
  useEffect(() => () => leave.current(), []);
  const commitHandlers: CommitHandlers = {
    onBlur: () => leave.current(),
    onKeyDown: (e) => {
      if (e.key === 'Enter' && e.currentTarget.tagName !== 'TEXTAREA') leave.current();
      if (e.key === 'Escape') restore();
    },
    // The first Escape restores the saved value; only the next one closes the dialog or drawer.
    'data-mantine-stop-propagation': draft !== stored,
  };
  return {
    draft,
    edit: (next: FieldValueType | null): void => {
      latest.current = next;
      edit(next);
      if (atOnce) leave.current();
    },
    commitHandlers: atOnce ? undefined : commitHandlers,
  };
}
