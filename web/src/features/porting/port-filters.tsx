import { porting } from '#contract';
import { t } from '#ui';
import { FilterSelect } from '#ui/list/FilterSelect.tsx';
import { portStatusName, portTypeName } from './labels.ts';

interface FilterProps {
  value: string;
  onChange: (value: string) => void;
}

/** Filters port requests by status; '' and unknown ones: any. */
export const PortStatusFilter = (filter: FilterProps) => (
  <FilterSelect
    label={t('Status')}
    any={t('Any status')}
    w={190}
    options={porting.portStatuses.map((status) => [status, portStatusName(status)])}
    {...filter}
  />
);

/** Filters port requests by type; '' and unknown ones: any. */
export const PortTypeFilter = (filter: FilterProps) => (
  <FilterSelect
    label={t('Type')}
    any={t('Any type')}
    w={140}
    options={([1, 2, 3] as const).map((type) => [String(type), portTypeName(type)])}
    {...filter}
  />
);
