import { Select, type SelectProps } from '@mantine/core';
import { t } from '#ui';

/**
 * A list's filter by one of `options`; `''` and unknown values: any. `any` is the placeholder and
 * names the button that clears it; without it the label is.
 */
export const FilterSelect = ({
  label,
  any,
  value,
  options,
  w = 160,
  onChange,
}: {
  label: string;
  any?: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  w?: SelectProps['w'];
  onChange: (value: string) => void;
}) => (
  <Select
    aria-label={label}
    placeholder={any ?? label}
    w={w}
    clearable
    clearButtonProps={{ 'aria-label': any ?? t('Clear {what}', { what: label }) }}
    searchable={options.length > 10}
    data={options.map(([id, name]) => ({ value: id, label: name }))}
    value={options.some(([id]) => id === value) ? value : null}
    onChange={(chosen) => onChange(chosen ?? '')}
  />
);
