import { TextInput } from '@mantine/core';

/** A field for a six-digit code; phones offer to fill in one they received. */
export function CodeInput({
  label,
  description,
  value,
  onChange,
  error,
}: {
  label: string;
  description?: string;
  value: string;
  onChange: (code: string) => void;
  error?: string | null | undefined;
}) {
  return (
    <TextInput
      label={label}
      description={description}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus
      maxLength={8}
      value={value}
      error={error ?? null}
      onChange={(e) => onChange(e.currentTarget.value)}
    />
  );
}
