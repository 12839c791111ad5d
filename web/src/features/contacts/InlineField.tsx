import { Select, Textarea, TextInput } from '@mantine/core';
import { useEditableValue } from '#ui';

interface InlineProps {
  label: string;
  value: string;
  save: (value: string) => Promise<boolean>;
  disabled?: boolean;
  error?: string | undefined;
  type?: string;
  lines?: number;
  maxLength?: number;
  options?: { value: string; label: string }[];
  className?: string | undefined;
  placeholder?: string;
  /** A select without an empty choice. */
  required?: boolean;
}

/** A field that saves on blur; Escape restores the saved value. */
export function InlineField({
  label,
  value,
  save,
  disabled = false,
  error,
  type,
  lines,
  maxLength = 200,
  options,
  className,
  placeholder,
  required = false,
}: InlineProps) {
  const { value: text, edit, finish, restore } = useEditableValue(value);
  const keep = async (next: string): Promise<void> => {
    if (next !== value && !(await save(next))) edit(next);
  };
  const leave = (): void => {
    if (finish()) void keep(text.trim());
  };
  const shared = {
    label,
    disabled,
    error,
    maxLength,
    className: className ?? '',
    placeholder: placeholder ?? '',
    value: text,
    onBlur: leave,
  };
  if (options)
    return (
      <Select
        label={label}
        disabled={disabled}
        error={error}
        className={className ?? ''}
        placeholder={placeholder ?? '–'}
        allowDeselect={!required}
        clearable={!required}
        clearButtonProps={{ 'aria-label': `${label}: –` }}
        data={options}
        value={value || null}
        onChange={(v) => void keep(v ?? '')}
      />
    );
  if (lines)
    return (
      <Textarea
        {...shared}
        autosize
        minRows={lines}
        maxRows={12}
        onChange={(e) => edit(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Escape') restore();
        }}
      />
    );
  return (
    <TextInput
      {...shared}
      type={type ?? 'text'}
      onChange={(e) => edit(e.currentTarget.value)}
      onKeyDown={(e) => {
        if (e.key === 'Escape') restore();
        if (e.key === 'Enter') e.currentTarget.blur();
      }}
    />
  );
}
