import { useEffect, useRef } from 'react';
import { Stack } from '@mantine/core';
import { describeValue, type EntityTypeId, type FieldValueType } from '#contract/fields/rules';
import { formatPhoneNumber, t, useEditableValue } from '#ui';
import { FieldInput, type CommitHandlers } from './FieldInput.tsx';
import { useFields, type Field, type Value } from './use-fields.tsx';

/** What to send as `eavAttributeValues`: null takes the object's own value away. */
export interface SetValue {
  attribute_id: number;
  value: FieldValueType | null;
}
interface CustomFieldsProps {
  entity: EntityTypeId;
  values: readonly Value[];
  /** Gets only what changed: text and numbers on blur, choices immediately. With `at="change"`, on every key. */
  onChange: (changed: SetValue[]) => void;
  at?: 'leave' | 'change';
  disabled?: boolean;
  /** The server's words by field key, or the whole refusal's `fields` (`eavAttributeValues.stage`). */
  errors?: Readonly<Record<string, string>>;
}

/** All custom fields of an object, each in the control of its type. Nothing when there are none. */
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

function CustomField({
  field,
  value,
  at,
  disabled,
  error,
  onChange,
}: {
  field: Field;
  value: Value | undefined;
  at: 'leave' | 'change';
  disabled: boolean;
  error: string | undefined;
  onChange: (value: FieldValueType | null) => void;
}) {
  // A default isn't a value: it is the placeholder, and returns when the value is cleared.
  const own = value === undefined || value.source === 'default' ? null : value.value;
  const stored = field.type === 'phone' && own !== null ? formatPhoneNumber(String(own)) : own;
  const byDefault =
    field.defaultValue === null
      ? undefined
      : t('{value} (default)', {
          value:
            field.type === 'boolean'
              ? field.defaultValue
                ? t('Yes')
                : t('No')
              : describeValue(field, field.defaultValue),
        });
  const { value: draft, edit, finish, restore } = useEditableValue<FieldValueType | null>(stored);
  const latest = useRef(draft);
  const atOnce = at === 'change' || field.type === 'enum' || field.type === 'boolean';
  const leave = useRef(() => {});
  leave.current = () => {
    if (finish()) onChange(latest.current);
  };
  // A drawer that closes takes the field away without one's leaving it.
  useEffect(() => () => leave.current(), []);
  const leaving: CommitHandlers = {
    onBlur: () => leave.current(),
    onKeyDown: (e) => {
      if (e.key === 'Enter' && e.currentTarget.tagName !== 'TEXTAREA') leave.current();
      if (e.key === 'Escape') restore();
    },
    // Escape first puts back what was there; only then does it close what is around.
    'data-mantine-stop-propagation': draft !== stored,
  };
  return (
    <FieldInput
      field={field}
      value={draft}
      disabled={disabled}
      error={error}
      placeholder={byDefault}
      onChange={(next) => {
        latest.current = next;
        edit(next);
        if (atOnce) leave.current();
      }}
      {...(atOnce ? {} : { commitHandlers: leaving })}
    />
  );
}
