import { Select, Textarea, TextInput } from '@mantine/core';
import type { FieldValueType } from '#contract/fields/rules';
import { NumberInput, t } from '#ui';
import type { Field } from './use-fields.tsx';

interface FieldInputProps {
  field: Field;
  value: FieldValueType | null;
  onChange: (value: FieldValueType | null) => void;
  error?: string | undefined;
  disabled?: boolean;
  label?: string | undefined;
  size?: 'xs' | 'sm';
  placeholder?: string | undefined;
  commitHandlers?: CommitHandlers;
}
/** Handlers of a field that saves on blur. */
export interface CommitHandlers {
  onBlur: () => void;
  onKeyDown: (e: React.KeyboardEvent<HTMLElement>) => void;
  'data-mantine-stop-propagation': boolean;
}

/** The control of a field's type. Blank is null (no value). */
export function FieldInput({
  field,
  value,
  onChange,
  error,
  disabled,
  label = field.name,
  size = 'sm',
  placeholder,
  commitHandlers: leaving,
}: FieldInputProps) {
  const shared = {
    label,
    size,
    ...(error ? { error } : {}),
    disabled: disabled ?? false,
    description:
      [field.description, field.type === 'date' && placeholder].filter(Boolean).join(' · ') ||
      undefined,
    withAsterisk: field.is_required && field.defaultValue === null,
    ...leaving,
  };
  const clear = {
    clearButtonProps: { 'aria-label': t('Remove {field}', { field: field.name }) },
  };
  switch (field.type) {
    case 'boolean':
      return (
        <Select
          {...shared}
          {...clear}
          clearable={!field.is_required}
          placeholder={placeholder ?? t('Not set')}
          data={[
            { value: 'true', label: t('Yes') },
            { value: 'false', label: t('No') },
          ]}
          value={value === null ? null : String(value)}
          onChange={(v) => onChange(v === null ? null : v === 'true')}
        />
      );
    case 'enum':
      return (
        <Select
          {...shared}
          {...clear}
          clearable={!field.is_required}
          placeholder={placeholder ?? t('Not set')}
          searchable={field.choices.length > 8}
          nothingFoundMessage={t('No results')}
          data={field.choices.map((c) => ({ value: String(c.id), label: c.value }))}
          value={value === null ? null : String(value)}
          onChange={(v) => onChange(v === null ? null : Number(v))}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...shared}
          hideControls
          thousandSeparator=","
          placeholder={placeholder ?? t('Not set')}
          value={value === null ? '' : (value as number)}
          onChange={(v) => onChange(v === '' ? null : v)}
        />
      );
    case 'date':
      return (
        <TextInput
          {...shared}
          type="date"
          value={value === null ? '' : String(value)}
          onChange={(e) => onChange(e.currentTarget.value || null)}
        />
      );
    case 'phone':
      return (
        <TextInput
          {...shared}
          type="tel"
          placeholder={placeholder ?? t('Not set')}
          value={value === null ? '' : String(value)}
          onChange={(e) => onChange(e.currentTarget.value || null)}
        />
      );
    case 'stringText':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={1}
          maxRows={8}
          maxLength={10_000}
          placeholder={placeholder ?? t('Not set')}
          value={value === null ? '' : String(value)}
          onChange={(e) => onChange(e.currentTarget.value || null)}
        />
      );
    default:
      return (
        <TextInput
          {...shared}
          maxLength={255}
          placeholder={placeholder ?? t('Not set')}
          value={value === null ? '' : String(value)}
          onChange={(e) => onChange(e.currentTarget.value || null)}
        />
      );
  }
}
