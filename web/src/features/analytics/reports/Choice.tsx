import { Select } from '@mantine/core';
import { t } from '#ui';

/** One of a filter’s options, or none: ''. */
export const Choice = ({
  label,
  value,
  onChange,
  options,
  width = 140,
  isRequired = false,
}: {
  label: string;
  width?: number;
  /** It can't be cleared. */
  isRequired?: boolean;
  value: string;
  onChange: (value: string) => void;
  options: readonly (readonly [value: string, label: string])[];
}) => (
  <Select
    w={{ base: 'calc(50% - 4px)', sm: width }}
    clearable={!isRequired}
    allowDeselect={!isRequired}
    searchable={options.length > 10}
    aria-label={label}
    placeholder={label}
    value={value || null}
    data={options.map(([one, name]) => ({ value: one, label: name }))}
    onChange={(one) => (one !== null || !isRequired) && onChange(one ?? '')}
    clearButtonProps={{ 'aria-label': t('Clear {what}', { what: label }) }}
  />
);
