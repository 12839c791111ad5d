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
export function FieldInput(props: FieldInputProps) {
  const { field, value, onChange } = props;
  const control = controlProps(props);
  const placeholder = props.placeholder ?? t('Not set');
  const text = {
    value: value === null ? '' : String(value),
    onChange: (e: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(e.currentTarget.value || null),
  };
  switch (field.type) {
    case 'boolean':
    case 'enum':
      return <ChoiceInput {...props} placeholder={placeholder} />;
    case 'number':
      return (
        <NumberInput
          {...control}
          hideControls
          thousandSeparator=","
          placeholder={placeholder}
          value={value === null ? '' : (value as number)}
          onChange={(v) => onChange(v === '' ? null : v)}
        />
      );
    case 'date':
      return <TextInput {...control} {...text} type="date" />;
    case 'phone':
      return <TextInput {...control} {...text} type="tel" placeholder={placeholder} />;
    case 'stringText':
      return (
        <Textarea
          {...control}
          {...text}
          autosize
          minRows={1}
          maxRows={8}
          maxLength={10_000}
          placeholder={placeholder}
        />
      );
    default:
      return <TextInput {...control} {...text} maxLength={255} placeholder={placeholder} />;
  }
}

/** What every control has. A date control has no placeholder, so its description says it. */
const controlProps = ({
  field,
  error,
  disabled = false,
  label = field.name,
  size = 'sm',
  placeholder,
  commitHandlers,
}: FieldInputProps) => ({
  label,
  size,
  ...(error ? { error } : {}),
  disabled,
  description:
    [field.description, field.type === 'date' && placeholder].filter(Boolean).join(' · ') ||
    undefined,
  withAsterisk: field.is_required && field.defaultValue === null,
  ...commitHandlers,
});

/** Yes or no, or one of the field's choices, which is stored by its id. */
function ChoiceInput(props: FieldInputProps & { placeholder: string }) {
  const { field, value, onChange, placeholder } = props;
  const isBoolean = field.type === 'boolean';
  const options = isBoolean
    ? [
        { value: 'true', label: t('Yes') },
        { value: 'false', label: t('No') },
      ]
    : field.choices.map((c) => ({ value: String(c.id), label: c.value }));
  const valueOf = (option: string) => (isBoolean ? option === 'true' : Number(option));
  return (
    <Select
      {...controlProps(props)}
      clearable={!field.is_required}
      clearButtonProps={{ 'aria-label': t('Remove {field}', { field: field.name }) }}
      placeholder={placeholder}
      searchable={options.length > 8}
      nothingFoundMessage={t('No results')}
      data={options}
      value={value === null ? null : String(value)}
      onChange={(option) => onChange(option === null ? null : valueOf(option))}
    />
  );
}
