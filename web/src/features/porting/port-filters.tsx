import { Select } from '@mantine/core';
import { porting } from '#contract';
import { t } from '#ui';
import { portStatusName, portTypeName } from './labels.ts';

interface FilterProps {
  value: string;
  onChange: (value: string) => void;
}

/** Filters port requests by status; '' and unknown ones: any. */
export function PortStatusFilter({ value, onChange }: FilterProps) {
  const isStatus = porting.portStatuses.some((status) => status === value);
  return (
    <Select
      aria-label={t('Status')}
      placeholder={t('Any status')}
      w={190}
      clearable
      clearButtonProps={{ 'aria-label': t('Any status') }}
      data={porting.portStatuses.map((s) => ({ value: s, label: portStatusName(s) }))}
      value={isStatus ? value : null}
      onChange={(status) => onChange(status ?? '')}
    />
  );
}

/** Filters port requests by type; '': any. */
export function PortTypeFilter({ value, onChange }: FilterProps) {
  return (
    <Select
      aria-label={t('Type')}
      placeholder={t('Any type')}
      w={140}
      clearable
      clearButtonProps={{ 'aria-label': t('Any type') }}
      data={([1, 2, 3] as const).map((n) => ({ value: String(n), label: portTypeName(n) }))}
      value={value || null}
      onChange={(type) => onChange(type ?? '')}
    />
  );
}
