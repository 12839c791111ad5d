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
export function InlineField({ value, save, options, ...props }: InlineProps) {
  const draft = useEditableValue(value);
  const keep = async (next: string): Promise<void> => {
    if (next !== value && !(await save(next))) draft.edit(next);
  };
  if (options)
    return (
      <InlineSelect {...props} value={value} options={options} onChange={(v) => void keep(v)} />
    );
  const leave = (): void => {
    if (draft.finish()) void keep(draft.value.trim());
  };
  return <InlineText {...props} draft={draft} onBlur={leave} />;
}

type ControlProps = Omit<InlineProps, 'value' | 'save' | 'options'>;

function InlineSelect({
  label,
  disabled = false,
  error,
  className = '',
  placeholder = '–',
  required = false,
  value,
  options,
  onChange,
}: ControlProps & {
  value: string;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
}) {
  return (
    <Select
      label={label}
      disabled={disabled}
      error={error}
      className={className}
      placeholder={placeholder}
      allowDeselect={!required}
      clearable={!required}
      clearButtonProps={{ 'aria-label': `${label}: –` }}
      data={options}
      value={value || null}
      onChange={(v) => onChange(v ?? '')}
    />
  );
}

function InlineText({
  label,
  disabled = false,
  error,
  type = 'text',
  lines,
  maxLength = 200,
  className = '',
  placeholder = '',
  draft,
  onBlur,
}: ControlProps & { draft: ReturnType<typeof useEditableValue<string>>; onBlur: () => void }) {
  const shared = {
    label,
    disabled,
    error,
    maxLength,
    className,
    placeholder,
    value: draft.value,
    onBlur,
  };
  const edit = (e: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void =>
    draft.edit(e.currentTarget.value);
  if (lines)
    return (
      <Textarea
        {...shared}
        autosize
        minRows={lines}
        maxRows={12}
        onChange={edit}
        onKeyDown={(e) => {
          if (e.key === 'Escape') draft.restore();
        }}
      />
    );
  return (
    <TextInput
      {...shared}
      type={type}
      onChange={edit}
      onKeyDown={(e) => {
        if (e.key === 'Escape') draft.restore();
        if (e.key === 'Enter') e.currentTarget.blur();
      }}
    />
  );
}
